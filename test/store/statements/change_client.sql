select
from
  change_client ($1, $2, by_admin => $3) client_id
where
  client_id is not null
