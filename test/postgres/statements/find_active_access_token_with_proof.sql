with
  found as (
    select
      position,
      code.client_id,
      users.user_id,
      coalesce(users.subject, users.user_id::text) as sub,
      users.username,
      users.email_verified,
      code.gives_username,
      token.binding,
      clients.vouched,
      code.acr,
      abs(date_part('epoch', now() - code.auth_time)) as auth_age,
      users.name,
      users.email,
      case
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
      end as scopes,
      case
        when code.choices is not null then choices_shown (
          choices_in_force (code.choices, grants.choices, token.choices),
          code.choices,
          case
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
        )
      end as choices,
      case
        when (grants.last_used_at > now() - interval '5 minutes') is not true then grants.grant_id
      end as grant_to_touch,
      requests.proof_sha256,
      to_timestamp(requests.expires_at) as proof_expires_at,
      token.binding is not distinct from requests.binding as opens,
      clients.vouched
      or requests.is_counted as is_counted
    from
      (
        select
          access_token_sha256,
          proof_sha256,
          expires_at,
          binding,
          is_counted,
          position
        from
          unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::text[], $5::boolean[]) with ordinality parameters (access_token_sha256, proof_sha256, expires_at, binding, is_counted, position)
        where
          position between 1 and 500
      ) requests
      join access_tokens token on token.access_token_sha256 = requests.access_token_sha256
      join authorization_codes code on code.code_id = token.code_id
      join grants on grants.grant_id = code.grant_id
      join users on users.user_id = grants.user_id
      join clients on clients.client_id = code.client_id
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
      and token.resource = 'self'
  ),
  shown as (
    select
      *,
      opens
      and is_counted as is_due
    from
      found
  ),
  used as (
    insert into
      used_proofs (proof_sha256, expires_at)
    select distinct
      on (proof_sha256) proof_sha256,
      proof_expires_at
    from
      shown
    where
      is_due
      and now() < proof_expires_at
    order by
      proof_sha256
    on conflict do nothing
    returning
      proof_sha256
  )
select
  shown.*,
  opens
  and not is_counted as is_to_count,
  case
    when not is_due then null
    when proof_expires_at <= now() then 'too old'
    when proof_sha256 not in (
      select
        proof_sha256
      from
        used
    ) then 'repeated'
    when position > min(position) over (
      partition by
        proof_sha256,
        is_due
    ) then 'repeated'
  end as proof_fault
from
  shown
