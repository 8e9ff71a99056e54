with
  added as (
    insert into
      signing_keys (kid, predecessor, public_jwk, sealed_private_key, signs_from)
    values
      ($1, $2, $3, $4, now() + make_interval(secs => $5))
    on conflict (predecessor) do nothing
    returning
      kid
  ),
  audit_event as (
    insert into
      audit_events (event, detail, request_id, address)
    select
      'signing_key_added',
      kid,
      $6,
      $7
    from
      added
  )
select
  kid
from
  added
