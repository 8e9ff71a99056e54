with
  revoked as (
    update authorization_codes code
    set
      revoked_at = now()
    from
      grants
    where
      code.code_id in (
        select
          code_id
        from
          access_tokens
        where
          access_token_sha256 = $1
          and access_tokens.revoked_at is null
          and access_tokens.expires_at > now()
          and access_tokens.issued_at < now() + interval '1 day'
        union all
        select
          code_id
        from
          authorization_codes code
        where
          code_sha256 = $1
          and (
            code.refresh_token_sha256 = $2
            and code.refresh_expires_at > now()
            and code.refresh_issued_at < now() + interval '1 day'
            or (
              code.previous_refresh_sha256 = $2
              and code.refresh_issued_at > now() - make_interval(secs => $3)
            )
          )
        union all
        select
          code_id
        from
          authorization_codes
        where
          code_sha256 = $1
          and authorization_codes.redeemed_at is null
          and authorization_codes.expires_at > now()
          and authorization_codes.issued_at < now() + interval '1 day'
          and $2::bytea is null
      )
      and code.revoked_at is null
      and grants.grant_id = code.grant_id
    returning
      code.code_id,
      code.client_id,
      grants.user_id
  ),
  token_leaked as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'token_leaked',
      user_id,
      client_id,
      code_id,
      null,
      $4,
      $5,
      acting_administrator ($6::bytea)
    from
      revoked
  )
select
  code_id,
  client_id,
  user_id
from
  revoked
