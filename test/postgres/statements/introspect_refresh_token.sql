select
  code.client_id,
  floor(date_part('epoch', code.refresh_issued_at)) as iat,
  floor(date_part('epoch', code.refresh_expires_at)) as exp,
  users.user_id,
  coalesce(users.subject, users.user_id::text) as sub,
  users.username,
  users.email,
  users.email_verified,
  code.gives_username,
  code.refresh_binding as binding,
  code.acr,
  case
    when code.auth_time is not null then floor(date_part('epoch', least(code.auth_time, now())))
  end as auth_time,
  array(
    select
      scope
    from
      unnest(code.scopes) scope
    where
      exists (
        select
        from
          unnest(code.resources) resource
        where
          scope = any (
            case
              when resource = 'self' then case
                when code.scopes <@ grants.scopes
                and code.scopes <@ clients.scopes
                and code.scopes <@ case
                  when code.choices is null then grants.decided
                  else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, grants.choices))
                end then code.scopes
                else common_scopes (
                  case
                    when code.scopes <@ grants.scopes
                    and code.scopes <@ clients.scopes then code.scopes
                    else common_scopes (code.scopes, grants.scopes, clients.scopes)
                  end,
                  case
                    when code.choices is null then grants.decided
                    else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, grants.choices))
                  end,
                  grants.scopes
                )
              end
              else scopes_at (
                resource,
                case
                  when code.scopes <@ grants.scopes
                  and code.scopes <@ case
                    when clients.origin in ('application', 'document')
                    and not clients.has_fixed_scopes then code.scopes
                    else clients.scopes
                  end then code.scopes
                  else common_scopes (
                    code.scopes,
                    grants.scopes,
                    case
                      when clients.origin in ('application', 'document')
                      and not clients.has_fixed_scopes then code.scopes
                      else clients.scopes
                    end
                  )
                end,
                case
                  when code.choices is null then grants.decided
                  else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, grants.choices))
                end
              )
            end
          )
      )
  ) as scopes,
  case
    when code.choices is not null then choices_shown (
      choices_in_force (code.choices, grants.choices, grants.choices),
      code.choices,
      array(
        select
          scope
        from
          unnest(code.scopes) scope
        where
          exists (
            select
            from
              unnest(code.resources) resource
            where
              scope = any (
                case
                  when resource = 'self' then case
                    when code.scopes <@ grants.scopes
                    and code.scopes <@ clients.scopes
                    and code.scopes <@ case
                      when code.choices is null then grants.decided
                      else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, grants.choices))
                    end then code.scopes
                    else common_scopes (
                      case
                        when code.scopes <@ grants.scopes
                        and code.scopes <@ clients.scopes then code.scopes
                        else common_scopes (code.scopes, grants.scopes, clients.scopes)
                      end,
                      case
                        when code.choices is null then grants.decided
                        else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, grants.choices))
                      end,
                      grants.scopes
                    )
                  end
                  else scopes_at (
                    resource,
                    case
                      when code.scopes <@ grants.scopes
                      and code.scopes <@ case
                        when clients.origin in ('application', 'document')
                        and not clients.has_fixed_scopes then code.scopes
                        else clients.scopes
                      end then code.scopes
                      else common_scopes (
                        code.scopes,
                        grants.scopes,
                        case
                          when clients.origin in ('application', 'document')
                          and not clients.has_fixed_scopes then code.scopes
                          else clients.scopes
                        end
                      )
                    end,
                    case
                      when code.choices is null then grants.decided
                      else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, grants.choices))
                    end
                  )
                end
              )
          )
      )
    )
  end as choices
from
  authorization_codes code
  join grants on grants.grant_id = code.grant_id
  join users on users.user_id = grants.user_id
  join clients on clients.client_id = code.client_id
where
  code.code_sha256 = $1
  and code.refresh_token_sha256 = $2
  and code.refresh_expires_at > now()
  and code.refresh_issued_at < now() + interval '1 day'
  and code.revoked_at is null
  and (code.issued_at <= clients.tokens_not_before) is not true
  and grants.revoked_at is null
  and (
    grants.expires_at is null
    or grants.expires_at > now()
  )
  and users.disabled_at is null
  and clients.disabled_at is null
