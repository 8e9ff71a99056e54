with
  swept as (
    delete from mails
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        sealed is null
        and least(sent_at, given_up_at) < now() - interval '7 days'
        or sealed_copy is not null
        and sent_at < now() - interval '1 day'
        or created_at < now() - interval '8 days'
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
