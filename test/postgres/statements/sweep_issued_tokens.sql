with
  swept as (
    delete from issued_tokens
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (day < (now() at time zone 'UTC')::date - 7)
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
