-- Each statement by itself.
-- Who chooses a name gets none that differs from somebody's subject in its spelling only.
drop index concurrently if exists users_by_folded_subject;
create index concurrently users_by_folded_subject on users (folded_name(coalesce(subject, user_id::text)));
