with
  granted as (
    update authorization_codes code
    set
      successor_access_sha256 = requests.access_token_sha256,
      renewed_salts = array[code.successor_salt, requests.access_salt]
    from
      (
        select
          family_key,
          refresh_token_sha256,
          generation,
          is_genuine,
          client_id,
          method,
          secret_sha256,
          client_version,
          dpop,
          certificate,
          scope,
          scope_names,
          resource,
          other_spelling,
          choices,
          can_sign,
          access_token_sha256,
          access_token_ttl,
          request_id,
          address,
          grace,
          access_salt,
          answer_sha256,
          position
        from
          unnest(
            $1::bytea[],
            $2::bytea[],
            $3::integer[],
            $4::boolean[],
            $5::text[],
            $6::text[],
            $7::bytea[],
            $8::text[],
            $9::text[],
            $10::text[],
            $11::text[],
            $12::text[],
            $13::text[],
            $14::text[],
            $15::text[],
            $16::boolean[],
            $17::bytea[],
            $18::integer[],
            $19::text[],
            $20::text[],
            $21::integer[],
            $22::bytea[],
            $23::bytea[]
          ) with ordinality parameters (
            family_key,
            refresh_token_sha256,
            generation,
            is_genuine,
            client_id,
            method,
            secret_sha256,
            client_version,
            dpop,
            certificate,
            scope,
            scope_names,
            resource,
            other_spelling,
            choices,
            can_sign,
            access_token_sha256,
            access_token_ttl,
            request_id,
            address,
            grace,
            access_salt,
            answer_sha256,
            position
          )
        where
          position between 1 and 500
      ) requests,
      clients,
      grants,
      users
    where
      clients.client_id = requests.client_id
      and clients.deleted_at is null
      and clients.disabled_at is null
      and (
        requests.client_version is null
        or requests.client_version = clients.version::text
      )
      and (
        requests.secret_sha256 is not null
        or clients.secrets_sha256 = '{}'
      )
      and (
        requests.secret_sha256 is null
        or clients.secrets_sha256 <> '{}'
      )
      and (
        requests.secret_sha256 is null
        or requests.secret_sha256 = any (clients.secrets_sha256)
      )
      and (
        clients.secrets_sha256 <> '{}'
        or coalesce(clients.token_endpoint_auth_method, 'none') = case
          when requests.secret_sha256 is null
          and requests.method = 'client_secret_basic' then 'none'
          else requests.method
        end
      )
      and 'refresh_token' = any (clients.grant_types)
      and code.code_sha256 = requests.family_key
      and (
        code.refresh_token_sha256 = requests.refresh_token_sha256
        or code.previous_refresh_sha256 = requests.refresh_token_sha256
        or (
          requests.is_genuine
          and requests.generation < code.refresh_generation
        )
      )
      and code.client_id = requests.client_id
      and (
        code.revoked_at is null
        and (code.issued_at <= clients.tokens_not_before) is not true
      )
      and grants.revoked_at is null
      and (
        grants.expires_at is null
        or grants.expires_at > now()
      )
      and users.disabled_at is null
      and (
        not code.refresh_token_sha256 = requests.refresh_token_sha256
        or code.refresh_expires_at > now()
        and code.refresh_issued_at < now() + interval '1 day'
      )
      and (
        clients.token_binding <> 'certificate'
        or requests.certificate is not null
      )
      and (
        clients.token_binding <> 'dpop'
        or requests.dpop is not null
      )
      and (
        coalesce(
          case
            when requests.generation >= code.refresh_bound_since then code.refresh_binding
          end,
          'mac'
        ) in ('mac', requests.dpop, requests.certificate)
      ) is true
      and (
        (
          code.previous_refresh_sha256 = requests.refresh_token_sha256
          and code.refresh_issued_at > now() - make_interval(secs => requests.grace)
        )
        and (coalesce(code.refresh_binding, 'mac') in ('mac', requests.dpop, requests.certificate)) is true
      )
      and code.refresh_expires_at > now()
      and code.refresh_issued_at < now() + interval '1 day'
      and (
        requests.scope is null
        or string_to_array(requests.scope, ' ') <@ code.scopes
        or (
          string_to_array(requests.scope, ' ') && code.scopes
          and (
            string_to_array(requests.scope, ' ') <@ coalesce(code.asked_scopes, code.scopes || string_to_array(code.requested_scope, ' '))
            or string_to_array(requests.scope_names, ' ') <@ coalesce(code.asked_scopes, code.scopes || string_to_array(code.requested_scope, ' '))
          )
          and coalesce(clients.profile, 'standard') <> all ('{fapi2}')
        )
      )
      and (
        requests.resource is not null
        or cardinality(code.resources) = 1
      )
      and case
        when requests.other_spelling = any (code.resources)
        and requests.resource <> all (code.resources) then requests.other_spelling
        else coalesce(requests.resource, code.resources[1])
      end = any (code.resources)
      and (
        code.choices is null
        or requests.choices is not null
      )
      and case
        when coalesce(requests.resource, code.resources[1]) = 'self' then case
          when case
            when requests.scope is null then code.scopes
            else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
          end <@ grants.scopes
          and case
            when requests.scope is null then code.scopes
            else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
          end <@ clients.scopes
          and case
            when requests.scope is null then code.scopes
            else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
          end <@ case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
          end then case
            when requests.scope is null then code.scopes
            else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
          end
          else common_scopes (
            case
              when case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end <@ grants.scopes
              and case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end <@ clients.scopes then case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end
              else common_scopes (
                case
                  when requests.scope is null then code.scopes
                  else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                end,
                grants.scopes,
                clients.scopes
              )
            end,
            case
              when code.choices is null then grants.decided
              else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
            end,
            grants.scopes
          )
        end
        else scopes_at (
          case
            when requests.other_spelling = any (code.resources)
            and requests.resource <> all (code.resources) then requests.other_spelling
            else coalesce(requests.resource, code.resources[1])
          end,
          case
            when case
              when requests.scope is null then code.scopes
              else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
            end <@ grants.scopes
            and case
              when requests.scope is null then code.scopes
              else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
            end <@ case
              when clients.origin in ('application', 'document')
              and not clients.has_fixed_scopes then case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end
              else clients.scopes
            end then case
              when requests.scope is null then code.scopes
              else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
            end
            else common_scopes (
              case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end,
              grants.scopes,
              case
                when clients.origin in ('application', 'document')
                and not clients.has_fixed_scopes then case
                  when requests.scope is null then code.scopes
                  else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                end
                else clients.scopes
              end
            )
          end,
          case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
          end
        )
      end <> '{}'
      and (
        requests.can_sign
        or coalesce(requests.resource, code.resources[1]) = 'self'
        or token_format_at (
          case
            when requests.other_spelling = any (code.resources)
            and requests.resource <> all (code.resources) then requests.other_spelling
            else coalesce(requests.resource, code.resources[1])
          end
        ) <> 'jwt'
      )
      and code.successor_access_sha256 = requests.answer_sha256
      and grants.grant_id = code.grant_id
      and users.user_id = grants.user_id
    returning
      requests.position,
      requests.client_id,
      requests.access_token_sha256,
      requests.request_id,
      requests.address,
      code.code_id,
      code.scopes as family_scopes,
      code.requested_scope,
      coalesce('offline_access' = any (code.asked_scopes), false) as asks_offline_access,
      users.user_id,
      coalesce(users.subject, users.user_id::text) as sub,
      case
        when (grants.last_used_at > now() - interval '5 minutes') is not true then grants.grant_id
      end as grant_to_touch,
      code.acr,
      case
        when code.auth_time is not null then floor(date_part('epoch', least(code.auth_time, now())))
      end as auth_time,
      case
        when coalesce(requests.resource, code.resources[1]) = 'self' then case
          when case
            when requests.scope is null then code.scopes
            else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
          end <@ grants.scopes
          and case
            when requests.scope is null then code.scopes
            else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
          end <@ clients.scopes
          and case
            when requests.scope is null then code.scopes
            else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
          end <@ case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
          end then case
            when requests.scope is null then code.scopes
            else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
          end
          else common_scopes (
            case
              when case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end <@ grants.scopes
              and case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end <@ clients.scopes then case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end
              else common_scopes (
                case
                  when requests.scope is null then code.scopes
                  else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                end,
                grants.scopes,
                clients.scopes
              )
            end,
            case
              when code.choices is null then grants.decided
              else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
            end,
            grants.scopes
          )
        end
        else scopes_at (
          case
            when requests.other_spelling = any (code.resources)
            and requests.resource <> all (code.resources) then requests.other_spelling
            else coalesce(requests.resource, code.resources[1])
          end,
          case
            when case
              when requests.scope is null then code.scopes
              else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
            end <@ grants.scopes
            and case
              when requests.scope is null then code.scopes
              else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
            end <@ case
              when clients.origin in ('application', 'document')
              and not clients.has_fixed_scopes then case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end
              else clients.scopes
            end then case
              when requests.scope is null then code.scopes
              else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
            end
            else common_scopes (
              case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end,
              grants.scopes,
              case
                when clients.origin in ('application', 'document')
                and not clients.has_fixed_scopes then case
                  when requests.scope is null then code.scopes
                  else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                end
                else clients.scopes
              end
            )
          end,
          case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
          end
        )
      end as access_scopes,
      case
        when code.choices is not null then choices_in_force (code.choices, grants.choices, requests.choices::jsonb)
      end as access_choices,
      case
        when code.choices is not null then choices_shown (
          choices_in_force (code.choices, grants.choices, requests.choices::jsonb),
          code.choices,
          case
            when coalesce(requests.resource, code.resources[1]) = 'self' then case
              when case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end <@ grants.scopes
              and case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end <@ clients.scopes
              and case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end <@ case
                when code.choices is null then grants.decided
                else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
              end then case
                when requests.scope is null then code.scopes
                else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
              end
              else common_scopes (
                case
                  when case
                    when requests.scope is null then code.scopes
                    else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                  end <@ grants.scopes
                  and case
                    when requests.scope is null then code.scopes
                    else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                  end <@ clients.scopes then case
                    when requests.scope is null then code.scopes
                    else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                  end
                  else common_scopes (
                    case
                      when requests.scope is null then code.scopes
                      else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                    end,
                    grants.scopes,
                    clients.scopes
                  )
                end,
                case
                  when code.choices is null then grants.decided
                  else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
                end,
                grants.scopes
              )
            end
            else scopes_at (
              case
                when requests.other_spelling = any (code.resources)
                and requests.resource <> all (code.resources) then requests.other_spelling
                else coalesce(requests.resource, code.resources[1])
              end,
              case
                when case
                  when requests.scope is null then code.scopes
                  else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                end <@ grants.scopes
                and case
                  when requests.scope is null then code.scopes
                  else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                end <@ case
                  when clients.origin in ('application', 'document')
                  and not clients.has_fixed_scopes then case
                    when requests.scope is null then code.scopes
                    else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                  end
                  else clients.scopes
                end then case
                  when requests.scope is null then code.scopes
                  else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                end
                else common_scopes (
                  case
                    when requests.scope is null then code.scopes
                    else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                  end,
                  grants.scopes,
                  case
                    when clients.origin in ('application', 'document')
                    and not clients.has_fixed_scopes then case
                      when requests.scope is null then code.scopes
                      else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
                    end
                    else clients.scopes
                  end
                )
              end,
              case
                when code.choices is null then grants.decided
                else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
              end
            )
          end
        )
      end as choices,
      case
        when requests.other_spelling = any (code.resources)
        and requests.resource <> all (code.resources) then requests.other_spelling
        else coalesce(requests.resource, code.resources[1])
      end as resource,
      case clients.token_binding
        when 'mac' then 'mac'
        when 'certificate' then requests.certificate
        else requests.dpop
      end as binding,
      grants.expires_at as grant_expires_at,
      least(
        now() + make_interval(
          secs => case
            when not coalesce(requests.resource, code.resources[1]) = 'self'
            and token_format_at (
              case
                when requests.other_spelling = any (code.resources)
                and requests.resource <> all (code.resources) then requests.other_spelling
                else coalesce(requests.resource, code.resources[1])
              end
            ) = 'jwt' then least(requests.access_token_ttl, 600)
            else requests.access_token_ttl
          end
        ),
        grants.expires_at,
        code.family_ends_at
      ) as access_expires_at,
      code.refresh_expires_at
  ),
  access_token as (
    insert into
      access_tokens (access_token_sha256, code_id, scopes, choices, resource, binding, expires_at)
    select
      access_token_sha256,
      code_id,
      access_scopes,
      access_choices,
      resource,
      binding,
      access_expires_at
    from
      granted
  ),
  audit_event as (
    insert into
      routine_events (event, user_id, client_id, code_id, request_id, address)
    select
      'tokens_refreshed',
      user_id,
      client_id,
      code_id,
      request_id,
      address
    from
      granted
  )
select
  position,
  resource,
  binding,
  access_scopes as scopes,
  choices,
  case
    when access_scopes @> family_scopes then requested_scope
  end as requested_scope,
  asks_offline_access,
  ceil(date_part('epoch', access_expires_at - now())) as expires_in,
  ceil(date_part('epoch', refresh_expires_at - now())) as refresh_expires_in,
  ceil(date_part('epoch', grant_expires_at - now())) as grant_expires_in,
  user_id,
  sub,
  code_id,
  grant_to_touch,
  acr,
  auth_time,
  case resource
    when 'self' then 'opaque'
    else token_format_at (resource)
  end as token_format,
  floor(date_part('epoch', now())) as iat,
  floor(date_part('epoch', access_expires_at)) as exp
from
  granted
