with
  revoked as (
    update access_tokens token
    set
      revoked_at = now()
    from
      authorization_codes code,
      grants
    where
      token.access_token_sha256 = $1
      and code.code_id = token.code_id
      and code.client_id = $2
      and token.revoked_at is null
      and grants.grant_id = code.grant_id
    returning
      token.code_id,
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
      $3,
      $4,
      acting_administrator ($5::bytea)
    from
      revoked
  )
select
  code_id,
  client_id,
  user_id
from
  revoked
