with
  ended as (
    delete from sessions
    where
      user_id = $1
    returning
      user_id
  )
select
  count(*)::integer as sessions
from
  ended
