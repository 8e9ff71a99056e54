with
  revoked as (
    update authorization_codes code
    set
      revoked_at = now()
    from
      grants
    where
      code.code_sha256 = $1
      and (
        code.refresh_token_sha256 = $2
        or code.previous_refresh_sha256 = $2
        or (
          $4
          and $3 < code.refresh_generation
        )
      )
      and code.client_id = $5
      and code.revoked_at is null
      and grants.grant_id = code.grant_id
    returning
      code.code_id,
      code.client_id,
      grants.user_id
  ),
  token_revoked as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'token_revoked',
      user_id,
      client_id,
      code_id,
      null,
      $6,
      $7,
      acting_administrator ($8::bytea)
    from
      revoked
  )
select
  code_id,
  client_id,
  user_id
from
  revoked
