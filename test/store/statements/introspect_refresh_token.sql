select
  code.client_id,
  floor(date_part('epoch', token.issued_at)) as iat,
  floor(date_part('epoch', token.expires_at)) as exp,
  users.user_id,
  users.username,
  code.gives_username,
  token.binding,
  array(
    select
      scope
    from
      unnest(token.scopes) scope
    where
      exists (
        select
        from
          unnest(code.resources) resource
        where
          scope = any (
            case resource
              when 'self' then case
                when token.scopes <@ grants.scopes
                and token.scopes <@ clients.scopes
                and token.scopes <@ grants.decided then token.scopes
                else common_scopes (
                  case
                    when token.scopes <@ grants.scopes
                    and token.scopes <@ clients.scopes then token.scopes
                    else common_scopes (token.scopes, grants.scopes, clients.scopes)
                  end,
                  grants.decided,
                  grants.scopes
                )
              end
              else scopes_at (
                resource,
                case
                  when token.scopes <@ grants.scopes
                  and token.scopes <@ clients.scopes then token.scopes
                  else common_scopes (token.scopes, grants.scopes, clients.scopes)
                end,
                grants.decided
              )
            end
          )
      )
  ) as scopes
from
  refresh_tokens token
  join authorization_codes code on code.code_id = token.code_id
  join grants on grants.grant_id = code.grant_id
  join users on users.user_id = grants.user_id
  join clients on clients.client_id = code.client_id
where
  token.refresh_token_sha256 = $1
  and token.rotated_at is null
  and token.expires_at > now()
  and token.issued_at < now() + interval '1 day'
  and code.revoked_at is null
  and grants.revoked_at is null
  and (
    grants.expires_at is null
    or grants.expires_at > now()
  )
  and users.disabled_at is null
  and clients.disabled_at is null
