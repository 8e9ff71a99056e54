-- Each statement by itself.
-- A scope that is deleted and made anew, with another sentence, is allowed by nobody. By an expression, so that no other statement is
-- planned with the index.
drop index concurrently if exists grants_by_scope;
create index concurrently grants_by_scope on grants using gin ((scopes || '{}'::text[])) where revoked_at is null;
create or replace function end_allowances() returns trigger language plpgsql as $$ begin perform ask_again(old.name); return null; end $$;
create or replace trigger scopes_end_allowances after delete on scopes for each row execute function end_allowances();
