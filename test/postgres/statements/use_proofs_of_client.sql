with
  known as (
    select
      requests.*,
      not (
        clients.vouched
        or requests.is_counted
      ) as is_to_count,
      (
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
      ) as is_dpop_used,
      (
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
      ) as is_assertion_used
    from
      (
        select
          client_id,
          method,
          secret_sha256,
          client_version,
          family_key,
          dpop_sha256,
          dpop_expires_at,
          assertion_sha256,
          assertion_expires_at,
          is_counted,
          position
        from
          unnest(
            $1::text[],
            $2::text[],
            $3::bytea[],
            $4::text[],
            $5::bytea[],
            $6::bytea[],
            $7::bigint[],
            $8::bytea[],
            $9::bigint[],
            $10::boolean[]
          ) with ordinality parameters (
            client_id,
            method,
            secret_sha256,
            client_version,
            family_key,
            dpop_sha256,
            dpop_expires_at,
            assertion_sha256,
            assertion_expires_at,
            is_counted,
            position
          )
        where
          position between 1 and 500
      ) requests
      cross join clients
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
      and (
        case
          when requests.secret_sha256 is null
          and requests.method = 'client_secret_basic' then 'none'
          else requests.method
        end <> 'none'
        or requests.family_key is null
        or requests.client_id = (
          select
            code.client_id
          from
            authorization_codes code
          where
            code.code_sha256 = requests.family_key
        )
      )
  ),
  used as (
    insert into
      used_proofs (proof_sha256, expires_at)
    select distinct
      on (proof.proof_sha256) proof.proof_sha256,
      to_timestamp(proof.expires_at)
    from
      known,
      lateral (
        values
          (dpop_sha256, dpop_expires_at),
          (assertion_sha256, assertion_expires_at)
      ) proof (proof_sha256, expires_at)
    where
      not (
        is_dpop_used
        or is_assertion_used
        or is_to_count
      )
      and proof.proof_sha256 is not null
    order by
      proof.proof_sha256
    on conflict do nothing
    returning
      proof_sha256
  )
select
  position,
  is_to_count,
  case
    when is_dpop_used then 'dpop_proof'
    when is_assertion_used then 'assertion'
    when dpop_sha256 is not null
    and not (
      dpop_sha256 in (
        select
          proof_sha256
        from
          used
      )
      and position = min(position) over (
        partition by
          dpop_sha256,
          is_dpop_used
          or is_assertion_used
          or is_to_count
      )
    ) then 'dpop_proof'
    when assertion_sha256 is not null
    and not (
      assertion_sha256 in (
        select
          proof_sha256
        from
          used
      )
      and position = min(position) over (
        partition by
          assertion_sha256,
          is_dpop_used
          or is_assertion_used
          or is_to_count
      )
    ) then 'assertion'
  end as refused,
  case
    when coalesce(to_timestamp(dpop_expires_at) <= now(), false)
    or (
      not is_dpop_used
      and coalesce(to_timestamp(assertion_expires_at) <= now(), false)
    ) then 'too old'
    else 'repeated'
  end as fault
from
  known
