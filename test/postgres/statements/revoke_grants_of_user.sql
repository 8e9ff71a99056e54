with
  revoked as (
    update grants
    set
      revoked_at = now()
    where
      user_id = $1
      and grants.revoked_at is null
    returning
      user_id,
      client_id
  ),
  consent_revoked as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'consent_revoked',
      user_id,
      client_id,
      null,
      'with all others',
      $2,
      $3,
      acting_administrator ($4::bytea)
    from
      revoked
  )
select
  user_id
from
  revoked
limit
  1
