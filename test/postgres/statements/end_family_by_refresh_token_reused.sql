with
  revoked as (
    update authorization_codes code
    set
      revoked_at = now()
    from
      grants
    where
      code.code_id = $1
      and code.revoked_at is null
      and grants.grant_id = code.grant_id
    returning
      code.code_id,
      code.client_id,
      grants.user_id
  ),
  refresh_token_reused as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'refresh_token_reused',
      user_id,
      client_id,
      code_id,
      null,
      $2,
      $3,
      acting_administrator ($4::bytea)
    from
      revoked
  )
select
  code_id,
  client_id,
  user_id
from
  revoked
