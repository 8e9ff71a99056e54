with
  revoked as (
    update grants
    set
      revoked_at = now()
    where
      user_id = $1
      and client_id = $2
      and revoked_at is null
    returning
      user_id,
      client_id
  ),
  ended as (
    select distinct
      user_id,
      client_id
    from
      revoked
  ),
  consent_revoked as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'consent_revoked',
      user_id,
      client_id,
      null,
      null,
      $3,
      $4,
      acting_administrator ($5::bytea)
    from
      ended
  )
select
  user_id
from
  ended
