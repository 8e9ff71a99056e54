with
  swept as (
    delete from consent_decisions
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (decided_at < now() - interval '1 day')
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
