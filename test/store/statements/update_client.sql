select
from
  change_client ($1, $2, by_admin => true, secret_sha256 => $3) client_id
where
  client_id is not null
