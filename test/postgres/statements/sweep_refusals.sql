with
  swept as (
    delete from refusals
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (happened_at < now() - interval '7 days')
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
