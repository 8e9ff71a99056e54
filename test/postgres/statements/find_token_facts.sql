select
  token.kind,
  code.client_id,
  grants.user_id,
  token.code_id,
  token.issued_at,
  case
    when token.issued_at < now() + interval '1 day' then token.expires_at
    else now()
  end as expires_at,
  token.revoked_at,
  token.rotated_at,
  code.redeemed_at,
  least(
    code.revoked_at,
    case
      when code.issued_at <= clients.tokens_not_before then clients.tokens_not_before
    end
  ) as family_revoked_at,
  grants.revoked_at as grant_revoked_at,
  grants.expires_at as grant_expires_at,
  clients.disabled_at as client_disabled_at,
  users.disabled_at as user_disabled_at,
  exists (
    select
    from
      unnest(token.scopes) scope,
      unnest(coalesce(token.resources, code.resources)) resource
    where
      scope <> all (grants.scopes)
      or case resource
        when 'self' then scope
        else scope || '@' || resource
      end <> all (grants.decided)
  ) as is_reduced,
  greatest(grants.granted_at, grants.changed_at) as grant_changed_at,
  not token.scopes <@ case
    when 'self' = any (coalesce(token.resources, code.resources)) then clients.scopes
    else case
      when clients.origin in ('application', 'document')
      and not clients.has_fixed_scopes then token.scopes
      else clients.scopes
    end
  end as is_narrowed,
  token.scopes,
  coalesce(token.resources, code.resources) as resources,
  now() as read_at
from
  (
    select
      'authorization_code' as kind,
      code_id,
      scopes,
      issued_at,
      expires_at,
      null::timestamptz as revoked_at,
      null::timestamptz as rotated_at,
      null::text[] as resources
    from
      authorization_codes
    where
      code_sha256 = $1
      and $2::bytea is null
    union all
    select
      'access_token',
      code_id,
      scopes,
      issued_at,
      expires_at,
      revoked_at,
      null,
      array[resource]
    from
      access_tokens
    where
      access_token_sha256 = $1
    union all
    select
      'refresh_token',
      code_id,
      scopes,
      to_timestamp($5),
      refresh_expires_at,
      null,
      case
        when refresh_token_sha256 <> $2 then refresh_issued_at
      end,
      null
    from
      authorization_codes code
    where
      code_sha256 = $1
      and (
        code.refresh_token_sha256 = $2
        or code.previous_refresh_sha256 = $2
        or (
          $4
          and $3 < code.refresh_generation
        )
      )
  ) token
  join authorization_codes code on code.code_id = token.code_id
  join grants on grants.grant_id = code.grant_id
  join users on users.user_id = grants.user_id
  join clients on clients.client_id = code.client_id
