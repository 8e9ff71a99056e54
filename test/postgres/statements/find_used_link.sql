select
  (detail -> 'user_id')::integer as user_id,
  coalesce(detail, '{}') as detail
from
  used_proofs
where
  proof_sha256 = $1
