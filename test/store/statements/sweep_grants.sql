with
  swept as (
    delete from grants
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        least(revoked_at, expires_at) < now() - interval '7 days'
        and not exists (
          select
          from
            authorization_codes code
          where
            code.grant_id = grants.grant_id
        )
        or client_id in (
          select
            client_id
          from
            clients
          where
            deleted_at is not null
        )
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
