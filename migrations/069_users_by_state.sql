-- What reads the whole table, after the lock of the file before is gone: requests go on meanwhile, except changes of users.
alter table users validate constraint users_deleted_are_empty;
-- the last administrator cannot be deleted
create index users_administrators on users (user_id) where is_admin;
-- applications that they registered at the moment of their deletion are disabled by the sweep
create index users_deleted on users (user_id) where deleted_at is not null;
