with
  ended as (
    delete from sessions
    where
      user_id = $1
      and sid_sha256 <> $2
  )
update users
set
  sessions_ended_at = clock_timestamp()
where
  user_id = $1
