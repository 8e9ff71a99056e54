select
  count(*)::integer as count
from
  (
    select
    from
      users
    where
      num_nonnulls (password_bcrypt, password_hash, registered_password_bcrypt) > 0
    limit
      1000
  ) some_passwords
