-- Of a deleted user only the number stays, until the sweep deletes the row: codes and consents that are sent at the same moment
-- still find it, and it is disabled. The version before can neither enable nor find such a row, because it has no name.
alter table users
  alter column username drop not null,
  alter column password_bcrypt drop not null,
  add column deleted_at timestamptz,
  add constraint users_deleted_are_empty check (case
    when deleted_at is null then username is not null and password_bcrypt is not null
    else disabled_at is not null and not is_admin
      and num_nonnulls(username, password_bcrypt, registered_password_bcrypt, email, name) = 0 end) not valid;
