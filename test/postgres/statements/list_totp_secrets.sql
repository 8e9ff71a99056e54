select
  user_id,
  secret
from
  totp_factors
order by
  user_id
limit
  200
