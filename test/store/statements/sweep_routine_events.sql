with
  swept as (
    delete from routine_events
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (happened_at < now() - make_interval(days => $3))
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
