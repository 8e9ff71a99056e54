select
  credential_id,
  transports,
  user_verified,
  backup_eligible,
  rp_id,
  name,
  created_at,
  last_used_at,
  last_used_address,
  last_used_agent
from
  passkeys
where
  user_id = $1
order by
  created_at
limit
  20
