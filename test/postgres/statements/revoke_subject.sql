select
  outcome,
  user_id,
  detail
from
  revoke_subject ($1, $2, $3, to_timestamp($4), to_timestamp($5), $6, $7, $8, $9)
