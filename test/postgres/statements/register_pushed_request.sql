with
  registered as (
    insert into
      pushed_requests (request_sha256, client_id, parameters, expires_at)
    select
      request_sha256,
      client_id,
      parameters,
      now() + make_interval(secs => ttl)
    from
      (
        select
          request_sha256,
          client_id,
          parameters,
          ttl,
          position
        from
          unnest($1::bytea[], $2::text[], $3::text[], $4::integer[]) with ordinality parameters (request_sha256, client_id, parameters, ttl, position)
        where
          position between 1 and 500
      ) requests
  )
select
  position
from
  (
    select
      request_sha256,
      client_id,
      parameters,
      ttl,
      position
    from
      unnest($1::bytea[], $2::text[], $3::text[], $4::integer[]) with ordinality parameters (request_sha256, client_id, parameters, ttl, position)
    where
      position between 1 and 500
  ) requests
