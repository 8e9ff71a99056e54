select
  user_id
from
  identities
where
  issuer = $2
  and subject = $3
  and user_id = $1
