with
  swept as (
    update clients
    set
      disabled_at = least(disabled_at, now()),
      disabled_by_owner = false,
      owner_id = null
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and owner_id in (
        select
          user_id
        from
          users
        where
          deleted_at is not null
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
