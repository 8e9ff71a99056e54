with
  swept as (
    delete from pushed_requests
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        completed_at is not null
        or expires_at < now() - interval '1 hour'
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
