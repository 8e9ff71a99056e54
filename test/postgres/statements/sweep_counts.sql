with
  swept as (
    delete from counts
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        seconds = 3600
        and begins_at < now() - interval '32 days'
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
