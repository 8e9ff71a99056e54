-- Each statement by itself.
drop index concurrently if exists users_subject_unique;
create unique index concurrently users_subject_unique on users (coalesce(subject, user_id::text));
alter table users validate constraint users_deleted_are_empty;
-- the oldest account of a name gets it; usernames go before addresses
insert into sign_in_names (name, user_id)
select folded_name(username), user_id from users where username is not null order by user_id
on conflict do nothing;
insert into sign_in_names (name, user_id)
select folded_name(email), user_id from users where email_verified and email is not null order by user_id
on conflict do nothing;
