with
  ended as (
    delete from sessions
    where
      user_id = $1
    returning
      user_id
  ),
  noted as (
    update users
    set
      sessions_ended_at = clock_timestamp()
    where
      user_id = $1
  )
select
  count(*)::integer as sessions
from
  ended
