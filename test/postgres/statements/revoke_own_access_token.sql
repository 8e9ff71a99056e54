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
  noted as (
    select
      *,
      exists (
        select
        from
          audit_events
        where
          audit_events.code_id = revoked.code_id
          and audit_events.event = 'token_revoked'
          and audit_events.happened_at > now() - interval '1 day'
      ) as is_routine
    from
      revoked
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
      (
        select
          *
        from
          noted
        where
          not is_routine
      ) first
  ),
  routine_event as (
    insert into
      routine_events (event, user_id, client_id, code_id, request_id, address)
    select
      'token_revoked',
      user_id,
      client_id,
      code_id,
      $3,
      $4
    from
      noted
    where
      is_routine
  )
select
  code_id,
  client_id,
  user_id
from
  revoked
