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
      token.code_id
    from
      refresh_tokens token
      left join refresh_tokens successor on successor.refresh_token_sha256 = token.successor_sha256
    where
      token.refresh_token_sha256 = $1
      and (
        token.rotated_at is null
        and token.expires_at > now()
        and token.issued_at < now() + interval '1 day'
        or (
          token.rotated_at > now() - make_interval(secs => $2)
          and successor.rotated_at is null
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
  )
  and code.revoked_at is null
  and grants.grant_id = code.grant_id
returning
  code.code_id,
  code.client_id,
  grants.user_id
