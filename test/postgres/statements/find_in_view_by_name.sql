select
  subject,
  username,
  email,
  email_verified,
  name,
  password_hash,
  disabled,
  stamp
from
  find_in_view ('name', array[btrim($1::text), folded_name ($1)])
