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
  find_in_view ($1, $2)
