with
  swept as (
    delete from sessions
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        last_used_at < now() - interval '1 day'
        or created_at < now() - interval '2 days'
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
