update pushed_requests pushed
set
  completed_at = now()
from
  (
    select
      request_sha256,
      client_id,
      position
    from
      unnest($1::bytea[], $2::text[]) with ordinality parameters (request_sha256, client_id, position)
    where
      position between 1 and 500
  ) requests
where
  pushed.request_sha256 = requests.request_sha256
  and pushed.client_id = requests.client_id
  and pushed.completed_at is null
  and (
    pushed.expires_at > now()
    or pushed.opened_at > now() - interval '1 hour'
  )
returning
  requests.position
