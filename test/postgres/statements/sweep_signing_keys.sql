with
  swept as (
    delete from signing_keys
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        exists (
          select
          from
            signing_keys newer
          where
            newer.published_at > signing_keys.published_at
            and newer.signs_from < now() - interval '1 day'
        )
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
