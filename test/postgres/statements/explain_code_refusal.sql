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
        when ('authorization_code' = any (clients.grant_types)) is not true then 'grant_type_registered'
      end,
      case
        when (code.code_sha256 = requests.code_sha256) is not true then 'code_known'
      end,
      case
        when (code.client_id = requests.client_id) is not true then 'code_own'
      end,
      case
        when (
          (
            code.redeemed_at is null
            or code.code_challenge is distinct from requests.code_challenge
          )
        ) is not true then 'code_not_repeated'
      end,
      case
        when (code.redeemed_at is null) is not true then 'code_unused'
      end,
      case
        when (
          (
            code.revoked_at is null
            and (code.issued_at <= clients.tokens_not_before) is not true
          )
        ) is not true then 'code_unrevoked'
      end,
      case
        when ((code.code_challenge = requests.code_challenge) is not false) is not true then 'verifier_right'
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
          code.expires_at > now()
          and code.issued_at < now() + interval '1 day'
        ) is not true then 'code_current'
      end,
      case
        when (
          (
            requests.redirect_uri is not null
            or not code.redirect_uri_sent
          )
        ) is not true then 'redirect_uri_sent'
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
        when ((coalesce(code.binding, 'mac') in ('mac', requests.dpop, requests.certificate)) is true) is not true then 'same_key'
      end,
      case
        when (
          (
            code.code_challenge is not null
            or coalesce(clients.profile, 'standard') <> all ('{fapi2}')
          )
        ) is not true then 'pkce_used_if_needed'
      end,
      case
        when (
          (
            code.code_challenge is null
            or requests.code_challenge is not null
          )
        ) is not true then 'verifier_sent'
      end,
      case
        when (
          (
            requests.code_challenge is null
            or code.code_challenge is not null
          )
        ) is not true then 'verifier_expected'
      end,
      case
        when (
          (
            requests.redirect_uri is null
            or requests.redirect_uri = code.redirect_uri
          )
        ) is not true then 'same_redirect_uri'
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
  code.code_id,
  users.user_id,
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
  end as resource
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
        $13::boolean[]
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
        position
      )
    where
      position between 1 and 500
  ) requests
  left join clients on clients.client_id = requests.client_id
  left join authorization_codes code on code.code_sha256 = requests.code_sha256
  left join grants on grants.grant_id = code.grant_id
  left join users on users.user_id = grants.user_id
