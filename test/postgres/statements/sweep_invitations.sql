with
  swept as (
    delete from invitations
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        uses_left = 0
        or expires_at < now() - interval '1 day'
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
