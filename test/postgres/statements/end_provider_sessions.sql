select
  outcome,
  user_id,
  detail
from
  end_provider_sessions ($1, $2, $3, $4, to_timestamp($5), to_timestamp($6), $7, $8, $9, $10)
