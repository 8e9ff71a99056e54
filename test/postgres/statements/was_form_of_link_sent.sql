select
  proof_sha256
from
  used_proofs
where
  proof_sha256 = $1
