with
  used as (
    select
      position,
      clients.client_id,
      requests.secret_sha256
    from
      (
        select
          client_id,
          secret_sha256,
          position
        from
          unnest($1::text[], $2::bytea[]) with ordinality parameters (client_id, secret_sha256, position)
        where
          position between 1 and 500
      ) requests
      join clients on clients.client_id = requests.client_id
    where
      requests.secret_sha256 = any (clients.secrets_sha256)
  ),
  noted as (
    insert into
      client_secret_uses as known (client_id, secret_sha256, last_used_at)
    select distinct
      client_id,
      secret_sha256,
      now()
    from
      used
    order by
      client_id,
      secret_sha256
    on conflict on constraint client_secret_uses_pkey do update
    set
      last_used_at = now()
    where
      known.last_used_at < now() - interval '5 minutes'
  ),
  forgotten as (
    delete from client_secret_uses former using clients
    where
      former.client_id in (
        select
          client_id
        from
          used
      )
      and clients.client_id = former.client_id
      and former.secret_sha256 <> all (clients.secrets_sha256)
  )
select
  position
from
  used
