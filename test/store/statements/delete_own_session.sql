with
  ended as (
    delete from sessions
    where
      user_id = $1
      and sid_sha256 between $2 and $2 || decode(repeat('ff', 32), 'hex')
    returning
      user_id
  )
update users
set
  sessions_ended_at = clock_timestamp()
from
  ended
where
  users.user_id = ended.user_id
returning
  users.user_id
