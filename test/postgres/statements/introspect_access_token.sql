select
  position,
  code.client_id,
  users.user_id,
  coalesce(users.subject, users.user_id::text) as sub,
  users.username,
  users.email,
  users.email_verified,
  code.gives_username,
  token.binding,
  code.acr,
  case
    when code.auth_time is not null then floor(date_part('epoch', least(code.auth_time, now())))
  end as auth_time,
  case
    when token.resource = 'self' then case
      when token.scopes <@ grants.scopes
      and token.scopes <@ clients.scopes
      and token.scopes <@ case
        when code.choices is null then grants.decided
        else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, token.choices))
      end then token.scopes
      else common_scopes (
        case
          when token.scopes <@ grants.scopes
          and token.scopes <@ clients.scopes then token.scopes
          else common_scopes (token.scopes, grants.scopes, clients.scopes)
        end,
        case
          when code.choices is null then grants.decided
          else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, token.choices))
        end,
        grants.scopes
      )
    end
    else scopes_at (
      token.resource,
      case
        when token.scopes <@ grants.scopes
        and token.scopes <@ case
          when clients.origin in ('application', 'document')
          and not clients.has_fixed_scopes then token.scopes
          else clients.scopes
        end then token.scopes
        else common_scopes (
          token.scopes,
          grants.scopes,
          case
            when clients.origin in ('application', 'document')
            and not clients.has_fixed_scopes then token.scopes
            else clients.scopes
          end
        )
      end,
      case
        when code.choices is null then grants.decided
        else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, token.choices))
      end
    )
  end as scopes,
  case
    when code.choices is not null then choices_shown (
      choices_in_force (code.choices, grants.choices, token.choices),
      code.choices,
      case
        when token.resource = 'self' then case
          when token.scopes <@ grants.scopes
          and token.scopes <@ clients.scopes
          and token.scopes <@ case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, token.choices))
          end then token.scopes
          else common_scopes (
            case
              when token.scopes <@ grants.scopes
              and token.scopes <@ clients.scopes then token.scopes
              else common_scopes (token.scopes, grants.scopes, clients.scopes)
            end,
            case
              when code.choices is null then grants.decided
              else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, token.choices))
            end,
            grants.scopes
          )
        end
        else scopes_at (
          token.resource,
          case
            when token.scopes <@ grants.scopes
            and token.scopes <@ case
              when clients.origin in ('application', 'document')
              and not clients.has_fixed_scopes then token.scopes
              else clients.scopes
            end then token.scopes
            else common_scopes (
              token.scopes,
              grants.scopes,
              case
                when clients.origin in ('application', 'document')
                and not clients.has_fixed_scopes then token.scopes
                else clients.scopes
              end
            )
          end,
          case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, token.choices))
          end
        )
      end
    )
  end as choices,
  token.resource,
  resources.client_id as resource_client_id,
  floor(date_part('epoch', token.issued_at)) as iat,
  floor(date_part('epoch', token.expires_at)) as exp
from
  (
    select
      access_token_sha256,
      position
    from
      unnest($1::bytea[]) with ordinality parameters (access_token_sha256, position)
    where
      position between 1 and 500
  ) requests
  join access_tokens token on token.access_token_sha256 = requests.access_token_sha256
  join authorization_codes code on code.code_id = token.code_id
  join grants on grants.grant_id = code.grant_id
  join users on users.user_id = grants.user_id
  join clients on clients.client_id = code.client_id
  left join resources on resources.resource = token.resource
where
  token.revoked_at is null
  and token.expires_at > now()
  and token.issued_at < now() + interval '1 day'
  and code.revoked_at is null
  and (code.issued_at <= clients.tokens_not_before) is not true
  and grants.revoked_at is null
  and (
    grants.expires_at is null
    or grants.expires_at > now()
  )
  and users.disabled_at is null
  and clients.disabled_at is null
