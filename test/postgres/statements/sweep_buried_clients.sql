with
  swept as (
    delete from buried_clients
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (buried_at < now() - interval '400 days')
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
