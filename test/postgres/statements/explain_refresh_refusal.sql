select
  position,
  array_remove(
    array[
      case
        when (
          clients.client_id = requests.client_id
          and clients.deleted_at is null
        ) is not true then 'client_known'
      end,
      case
        when (clients.disabled_at is null) is not true then 'client_enabled'
      end,
      case
        when (
          (
            requests.client_version is null
            or requests.client_version = clients.version::text
          )
        ) is not true then 'client_unchanged'
      end,
      case
        when (
          (
            requests.secret_sha256 is not null
            or clients.secrets_sha256 = '{}'
          )
        ) is not true then 'secret_sent'
      end,
      case
        when (
          (
            requests.secret_sha256 is null
            or clients.secrets_sha256 <> '{}'
          )
        ) is not true then 'secret_expected'
      end,
      case
        when (
          (
            requests.secret_sha256 is null
            or requests.secret_sha256 = any (clients.secrets_sha256)
          )
        ) is not true then 'secret_right'
      end,
      case
        when (
          (
            clients.secrets_sha256 <> '{}'
            or coalesce(clients.token_endpoint_auth_method, 'none') = case
              when requests.secret_sha256 is null
              and requests.method = 'client_secret_basic' then 'none'
              else requests.method
            end
          )
        ) is not true then 'method_registered'
      end,
      case
        when ('refresh_token' = any (clients.grant_types)) is not true then 'grant_type_registered'
      end,
      case
        when (
          code.code_sha256 = requests.family_key
          and (
            code.refresh_token_sha256 = requests.refresh_token_sha256
            or code.previous_refresh_sha256 = requests.refresh_token_sha256
            or (
              requests.is_genuine
              and requests.generation < code.refresh_generation
            )
          )
        ) is not true then 'token_known'
      end,
      case
        when (code.client_id = requests.client_id) is not true then 'token_own'
      end,
      case
        when (
          (
            code.revoked_at is null
            and (code.issued_at <= clients.tokens_not_before) is not true
          )
        ) is not true then 'family_unrevoked'
      end,
      case
        when (grants.revoked_at is null) is not true then 'grant_unrevoked'
      end,
      case
        when (
          (
            grants.expires_at is null
            or grants.expires_at > now()
          )
        ) is not true then 'grant_unexpired'
      end,
      case
        when (users.disabled_at is null) is not true then 'user_enabled'
      end,
      case
        when (
          (
            not code.refresh_token_sha256 = requests.refresh_token_sha256
            or code.refresh_expires_at > now()
            and code.refresh_issued_at < now() + interval '1 day'
          )
        ) is not true then 'token_current'
      end,
      case
        when (
          (
            clients.token_binding <> 'certificate'
            or requests.certificate is not null
          )
        ) is not true then 'certificate_shown'
      end,
      case
        when (
          (
            clients.token_binding <> 'dpop'
            or requests.dpop is not null
          )
        ) is not true then 'proof_shown'
      end,
      case
        when (
          (
            coalesce(
              case
                when requests.generation >= code.refresh_bound_since then code.refresh_binding
              end,
              'mac'
            ) in ('mac', requests.dpop, requests.certificate)
          ) is true
        ) is not true then 'same_key'
      end,
      case
        when (code.refresh_token_sha256 = requests.refresh_token_sha256) is not true then 'token_unused'
      end,
      case
        when (
          (
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
        ) is not true then 'scope_granted'
      end,
      case
        when (
          (
            requests.resource is not null
            or cardinality(code.resources) = 1
          )
        ) is not true then 'resource_named'
      end,
      case
        when (
          case
            when requests.other_spelling = any (code.resources)
            and requests.resource <> all (code.resources) then requests.other_spelling
            else coalesce(requests.resource, code.resources[1])
          end = any (code.resources)
        ) is not true then 'resource_authorized'
      end,
      case
        when (
          (
            code.choices is null
            or requests.choices is not null
          )
        ) is not true then 'choices_read'
      end,
      case
        when (
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
          end <> '{}'
        ) is not true then 'scope_left'
      end,
      case
        when (
          (
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
        ) is not true then 'signable'
      end
    ],
    null
  ) as broken,
  array_remove(
    array[
      case
        when (
          (
            (
              code.previous_refresh_sha256 = requests.refresh_token_sha256
              and code.refresh_issued_at > now() - make_interval(secs => requests.grace)
            )
            and (coalesce(code.refresh_binding, 'mac') in ('mac', requests.dpop, requests.certificate)) is true
          )
        ) is not true then 'repeatable'
      end,
      case
        when (
          code.refresh_expires_at > now()
          and code.refresh_issued_at < now() + interval '1 day'
        ) is not true then 'successor_current'
      end,
      case
        when (
          (
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
        ) is not true then 'scope_granted'
      end,
      case
        when (
          (
            requests.resource is not null
            or cardinality(code.resources) = 1
          )
        ) is not true then 'resource_named'
      end,
      case
        when (
          case
            when requests.other_spelling = any (code.resources)
            and requests.resource <> all (code.resources) then requests.other_spelling
            else coalesce(requests.resource, code.resources[1])
          end = any (code.resources)
        ) is not true then 'resource_authorized'
      end,
      case
        when (
          (
            code.choices is null
            or requests.choices is not null
          )
        ) is not true then 'choices_read'
      end,
      case
        when (
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
          end <> '{}'
        ) is not true then 'scope_left'
      end,
      case
        when (
          (
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
        ) is not true then 'signable'
      end
    ],
    null
  ) as broken_repetition,
  coalesce(
    access_token.resource = case
      when requests.other_spelling = any (code.resources)
      and requests.resource <> all (code.resources) then requests.other_spelling
      else coalesce(requests.resource, code.resources[1])
    end
    and (
      clients.token_binding = 'any'
      or split_part(access_token.binding, ' ', 1) = clients.token_binding
    )
    and case
      when access_token.resource = 'self' then case
        when access_token.scopes <@ grants.scopes
        and access_token.scopes <@ clients.scopes
        and access_token.scopes <@ case
          when code.choices is null then grants.decided
          else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
        end then access_token.scopes
        else common_scopes (
          case
            when access_token.scopes <@ grants.scopes
            and access_token.scopes <@ clients.scopes then access_token.scopes
            else common_scopes (access_token.scopes, grants.scopes, clients.scopes)
          end,
          case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
          end,
          grants.scopes
        )
      end
      else scopes_at (
        access_token.resource,
        case
          when access_token.scopes <@ grants.scopes
          and access_token.scopes <@ case
            when clients.origin in ('application', 'document')
            and not clients.has_fixed_scopes then access_token.scopes
            else clients.scopes
          end then access_token.scopes
          else common_scopes (
            access_token.scopes,
            grants.scopes,
            case
              when clients.origin in ('application', 'document')
              and not clients.has_fixed_scopes then access_token.scopes
              else clients.scopes
            end
          )
        end,
        case
          when code.choices is null then grants.decided
          else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
        end
      )
    end && case
      when requests.scope is null then code.scopes
      else common_scopes (code.scopes, string_to_array(requests.scope, ' '), code.scopes)
    end,
    false
  ) as is_answer_left,
  code.code_id,
  users.user_id,
  coalesce(users.subject, users.user_id::text) as sub,
  code.scopes as family_scopes,
  (
    clients.vouched
    and not (
      clients.secrets_sha256 = '{}'
      and case
        when requests.secret_sha256 is null
        and requests.method = 'client_secret_basic' then 'none'
        else requests.method
      end = 'none'
    )
  ) is not true as may_be_anybody,
  case
    when requests.other_spelling = any (code.resources)
    and requests.resource <> all (code.resources) then requests.other_spelling
    else coalesce(requests.resource, code.resources[1])
  end as resource,
  code.successor_salt,
  code.refresh_token_sha256 as successor_sha256,
  code.successor_access_sha256 as answer_sha256,
  case
    when code.renewed_salts[1] = code.successor_salt then code.renewed_salts[2]
    else code.successor_salt
  end as access_salt,
  code.acr,
  case
    when code.auth_time is not null then floor(date_part('epoch', least(code.auth_time, now())))
  end as auth_time,
  access_token.binding,
  case
    when access_token.resource = 'self' then case
      when access_token.scopes <@ grants.scopes
      and access_token.scopes <@ clients.scopes
      and access_token.scopes <@ case
        when code.choices is null then grants.decided
        else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
      end then access_token.scopes
      else common_scopes (
        case
          when access_token.scopes <@ grants.scopes
          and access_token.scopes <@ clients.scopes then access_token.scopes
          else common_scopes (access_token.scopes, grants.scopes, clients.scopes)
        end,
        case
          when code.choices is null then grants.decided
          else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
        end,
        grants.scopes
      )
    end
    else scopes_at (
      access_token.resource,
      case
        when access_token.scopes <@ grants.scopes
        and access_token.scopes <@ case
          when clients.origin in ('application', 'document')
          and not clients.has_fixed_scopes then access_token.scopes
          else clients.scopes
        end then access_token.scopes
        else common_scopes (
          access_token.scopes,
          grants.scopes,
          case
            when clients.origin in ('application', 'document')
            and not clients.has_fixed_scopes then access_token.scopes
            else clients.scopes
          end
        )
      end,
      case
        when code.choices is null then grants.decided
        else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
      end
    )
  end as scopes,
  case
    when code.choices is not null then choices_shown (
      choices_in_force (code.choices, grants.choices, access_token.choices),
      code.choices,
      case
        when access_token.resource = 'self' then case
          when access_token.scopes <@ grants.scopes
          and access_token.scopes <@ clients.scopes
          and access_token.scopes <@ case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
          end then access_token.scopes
          else common_scopes (
            case
              when access_token.scopes <@ grants.scopes
              and access_token.scopes <@ clients.scopes then access_token.scopes
              else common_scopes (access_token.scopes, grants.scopes, clients.scopes)
            end,
            case
              when code.choices is null then grants.decided
              else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
            end,
            grants.scopes
          )
        end
        else scopes_at (
          access_token.resource,
          case
            when access_token.scopes <@ grants.scopes
            and access_token.scopes <@ case
              when clients.origin in ('application', 'document')
              and not clients.has_fixed_scopes then access_token.scopes
              else clients.scopes
            end then access_token.scopes
            else common_scopes (
              access_token.scopes,
              grants.scopes,
              case
                when clients.origin in ('application', 'document')
                and not clients.has_fixed_scopes then access_token.scopes
                else clients.scopes
              end
            )
          end,
          case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
          end
        )
      end
    )
  end as choices,
  case
    when case
      when access_token.resource = 'self' then case
        when access_token.scopes <@ grants.scopes
        and access_token.scopes <@ clients.scopes
        and access_token.scopes <@ case
          when code.choices is null then grants.decided
          else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
        end then access_token.scopes
        else common_scopes (
          case
            when access_token.scopes <@ grants.scopes
            and access_token.scopes <@ clients.scopes then access_token.scopes
            else common_scopes (access_token.scopes, grants.scopes, clients.scopes)
          end,
          case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
          end,
          grants.scopes
        )
      end
      else scopes_at (
        access_token.resource,
        case
          when access_token.scopes <@ grants.scopes
          and access_token.scopes <@ case
            when clients.origin in ('application', 'document')
            and not clients.has_fixed_scopes then access_token.scopes
            else clients.scopes
          end then access_token.scopes
          else common_scopes (
            access_token.scopes,
            grants.scopes,
            case
              when clients.origin in ('application', 'document')
              and not clients.has_fixed_scopes then access_token.scopes
              else clients.scopes
            end
          )
        end,
        case
          when code.choices is null then grants.decided
          else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, access_token.choices))
        end
      )
    end @> code.scopes then code.requested_scope
  end as requested_scope,
  coalesce('offline_access' = any (code.asked_scopes), false) as asks_offline_access,
  ceil(date_part('epoch', access_token.expires_at - now())) as expires_in,
  ceil(date_part('epoch', code.refresh_expires_at - now())) as refresh_expires_in,
  ceil(date_part('epoch', grants.expires_at - now())) as grant_expires_in,
  case access_token.resource
    when 'self' then 'opaque'
    else token_format_at (access_token.resource)
  end as token_format,
  floor(date_part('epoch', access_token.issued_at)) as iat,
  floor(date_part('epoch', access_token.expires_at)) as exp
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
      grace,
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
        $17::integer[]
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
        grace,
        position
      )
    where
      position between 1 and 500
  ) requests
  left join clients on clients.client_id = requests.client_id
  left join authorization_codes code on code.code_sha256 = requests.family_key
  left join grants on grants.grant_id = code.grant_id
  left join users on users.user_id = grants.user_id
  left join access_tokens access_token on access_token.access_token_sha256 = code.successor_access_sha256
  and access_token.revoked_at is null
  and access_token.expires_at > now()
  and access_token.issued_at < now() + interval '1 day'
