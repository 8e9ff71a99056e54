with
  found as (
    select
      position,
      pushed.request_sha256,
      pushed.parameters,
      pushed.opened_at
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
      join pushed_requests pushed on pushed.request_sha256 = requests.request_sha256
      and pushed.client_id = requests.client_id
      and pushed.completed_at is null
      and (
        pushed.expires_at > now()
        or pushed.opened_at > now() - interval '1 hour'
      )
  ),
  opened as (
    update pushed_requests pushed
    set
      opened_at = now()
    from
      (
        select distinct
          request_sha256
        from
          found
        where
          opened_at is null
      ) unopened
    where
      pushed.request_sha256 = unopened.request_sha256
      and pushed.opened_at is null
  )
select
  position,
  parameters
from
  found
