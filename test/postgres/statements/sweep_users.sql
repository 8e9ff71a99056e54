with
  swept as (
    delete from users
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (deleted_at < now() - interval '7 days')
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
