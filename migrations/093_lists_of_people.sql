-- Each statement by itself.
-- The day on which the person last began a session, to the week; of somebody who never has, the day of the account. Of people who were
-- there before this file, the day on which the file was applied.
alter table users add column if not exists seen_on date not null default current_date;
-- Each list of people that administrators read, in its order.
drop index concurrently if exists users_newest;
create index concurrently users_newest on users (user_id) where deleted_at is null;
drop index concurrently if exists users_disabled;
create index concurrently users_disabled on users (user_id) where disabled_at is not null and deleted_at is null;
drop index concurrently if exists users_without_factor;
create index concurrently users_without_factor on users (user_id) where second_factor_since is null and disabled_at is null;
-- Both conditions, so that no statement that finds one enabled person by number can choose this index.
drop index concurrently if exists users_by_last_seen;
create index concurrently users_by_last_seen on users (seen_on, user_id) where deleted_at is null and disabled_at is null;
