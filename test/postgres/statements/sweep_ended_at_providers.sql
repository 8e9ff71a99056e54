with
  swept as (
    delete from ended_at_providers
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (expires_at < now())
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
