-- Until this transaction ends, nobody else changes which scopes have a choice, and nobody decides on an application. The plan of a seed
-- changes nothing in the end, so it holds up nobody.
create or replace function lock_choices() returns void language plpgsql as $$
begin
  if current_setting('latchkey.plan', true) is distinct from 'on' then
    perform pg_advisory_xact_lock(hashtextextended('choices', 0));
  end if;
end $$;
