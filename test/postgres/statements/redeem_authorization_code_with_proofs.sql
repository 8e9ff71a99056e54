with
  granted as (
    update authorization_codes code
    set
      redeemed_at = now(),
      family_ends_at = now() + make_interval(
        secs => greatest(
          requests.access_token_ttl,
          case
            when (
              grants.duration <> 'once'
              and 'refresh_token' = any (clients.grant_types)
            ) then requests.refresh_token_ttl * 12.0
          end
        )
      ),
      refresh_token_sha256 = case
        when (
          grants.duration <> 'once'
          and 'refresh_token' = any (clients.grant_types)
        ) then requests.refresh_token_sha256
      end,
      refresh_issued_at = now(),
      refresh_expires_at = least(now() + make_interval(secs => requests.refresh_token_ttl), grants.expires_at),
      refresh_binding = case
        when clients.secrets_sha256 = '{}'
        and case
          when requests.secret_sha256 is null
          and requests.method = 'client_secret_basic' then 'none'
          else requests.method
        end = 'none' then case clients.token_binding
          when 'mac' then 'mac'
          when 'certificate' then requests.certificate
          else requests.dpop
        end
      end
    from
      (
        select
          code_sha256,
          client_id,
          method,
          secret_sha256,
          client_version,
          dpop,
          certificate,
          redirect_uri,
          code_challenge,
          resource,
          other_spelling,
          choices,
          can_sign,
          access_token_sha256,
          access_token_ttl,
          request_id,
          address,
          refresh_token_sha256,
          refresh_token_ttl,
          dpop_sha256,
          dpop_expires_at,
          assertion_sha256,
          assertion_expires_at,
          position
        from
          unnest(
            $1::bytea[],
            $2::text[],
            $3::text[],
            $4::bytea[],
            $5::text[],
            $6::text[],
            $7::text[],
            $8::text[],
            $9::text[],
            $10::text[],
            $11::text[],
            $12::text[],
            $13::boolean[],
            $14::bytea[],
            $15::integer[],
            $16::text[],
            $17::text[],
            $18::bytea[],
            $19::integer[],
            $20::bytea[],
            $21::bigint[],
            $22::bytea[],
            $23::bigint[]
          ) with ordinality parameters (
            code_sha256,
            client_id,
            method,
            secret_sha256,
            client_version,
            dpop,
            certificate,
            redirect_uri,
            code_challenge,
            resource,
            other_spelling,
            choices,
            can_sign,
            access_token_sha256,
            access_token_ttl,
            request_id,
            address,
            refresh_token_sha256,
            refresh_token_ttl,
            dpop_sha256,
            dpop_expires_at,
            assertion_sha256,
            assertion_expires_at,
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
      and 'authorization_code' = any (clients.grant_types)
      and code.code_sha256 = requests.code_sha256
      and code.client_id = requests.client_id
      and (
        code.redeemed_at is null
        or code.code_challenge is distinct from requests.code_challenge
      )
      and code.redeemed_at is null
      and (
        code.revoked_at is null
        and (code.issued_at <= clients.tokens_not_before) is not true
      )
      and (code.code_challenge = requests.code_challenge) is not false
      and grants.revoked_at is null
      and (
        grants.expires_at is null
        or grants.expires_at > now()
      )
      and users.disabled_at is null
      and code.expires_at > now()
      and code.issued_at < now() + interval '1 day'
      and (
        requests.redirect_uri is not null
        or not code.redirect_uri_sent
      )
      and (
        clients.token_binding <> 'certificate'
        or requests.certificate is not null
      )
      and (
        clients.token_binding <> 'dpop'
        or requests.dpop is not null
      )
      and (coalesce(code.binding, 'mac') in ('mac', requests.dpop, requests.certificate)) is true
      and (
        code.code_challenge is not null
        or coalesce(clients.profile, 'standard') <> all ('{fapi2}')
      )
      and (
        code.code_challenge is null
        or requests.code_challenge is not null
      )
      and (
        requests.code_challenge is null
        or code.code_challenge is not null
      )
      and (
        requests.redirect_uri is null
        or requests.redirect_uri = code.redirect_uri
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
          when code.scopes <@ grants.scopes
          and code.scopes <@ clients.scopes
          and code.scopes <@ case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
          end then code.scopes
          else common_scopes (
            case
              when code.scopes <@ grants.scopes
              and code.scopes <@ clients.scopes then code.scopes
              else common_scopes (code.scopes, grants.scopes, clients.scopes)
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
      and grants.grant_id = code.grant_id
      and users.user_id = grants.user_id
      and clients.vouched
      and not (
        coalesce(to_timestamp(requests.dpop_expires_at) <= now(), false)
        or exists (
          select
          from
            used_proofs
          where
            used_proofs.proof_sha256 = requests.dpop_sha256
          offset
            0
        )
      )
      and not (
        coalesce(to_timestamp(requests.assertion_expires_at) <= now(), false)
        or exists (
          select
          from
            used_proofs
          where
            used_proofs.proof_sha256 = requests.assertion_sha256
          offset
            0
        )
      )
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
          when code.scopes <@ grants.scopes
          and code.scopes <@ clients.scopes
          and code.scopes <@ case
            when code.choices is null then grants.decided
            else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
          end then code.scopes
          else common_scopes (
            case
              when code.scopes <@ grants.scopes
              and code.scopes <@ clients.scopes then code.scopes
              else common_scopes (code.scopes, grants.scopes, clients.scopes)
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
              when code.scopes <@ grants.scopes
              and code.scopes <@ clients.scopes
              and code.scopes <@ case
                when code.choices is null then grants.decided
                else decided_with_choices (grants.decided, code.choices, choices_in_force (code.choices, grants.choices, requests.choices::jsonb))
              end then code.scopes
              else common_scopes (
                case
                  when code.scopes <@ grants.scopes
                  and code.scopes <@ clients.scopes then code.scopes
                  else common_scopes (code.scopes, grants.scopes, clients.scopes)
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
        grants.expires_at
      ) as access_expires_at,
      case
        when (
          grants.duration <> 'once'
          and 'refresh_token' = any (clients.grant_types)
        ) then code.refresh_expires_at
      end as refresh_expires_at,
      requests.dpop_sha256,
      requests.dpop_expires_at,
      requests.assertion_sha256,
      requests.assertion_expires_at
  ),
  used as (
    insert into
      used_proofs (proof_sha256, expires_at)
    select
      proof.proof_sha256,
      to_timestamp(proof.expires_at)
    from
      granted,
      lateral (
        values
          (dpop_sha256, dpop_expires_at),
          (assertion_sha256, assertion_expires_at)
      ) proof (proof_sha256, expires_at)
    where
      proof.proof_sha256 is not null
    order by
      proof.proof_sha256
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
      'tokens_issued',
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
