with
  granted as (
    select
      requests.*
    from
      (
        select
          request_sha256,
          client_id,
          parameters,
          ttl,
          method,
          secret_sha256,
          client_version,
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
            $4::integer[],
            $5::text[],
            $6::bytea[],
            $7::text[],
            $8::bytea[],
            $9::bigint[],
            $10::bytea[],
            $11::bigint[]
          ) with ordinality parameters (
            request_sha256,
            client_id,
            parameters,
            ttl,
            method,
            secret_sha256,
            client_version,
            dpop_sha256,
            dpop_expires_at,
            assertion_sha256,
            assertion_expires_at,
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
  registered as (
    insert into
      pushed_requests (request_sha256, client_id, parameters, expires_at)
    select
      request_sha256,
      client_id,
      parameters,
      now() + make_interval(secs => ttl)
    from
      granted
  )
select
  position
from
  granted
