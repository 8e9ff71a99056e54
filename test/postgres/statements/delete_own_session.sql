with
  changed as (
    update users
    set
      sessions_ended_at = clock_timestamp()
    where
      user_id = $1
      and exists (
        select
        from
          sessions
        where
          user_id = $1
          and sid_sha256 between $2 and $2 || decode(repeat('ff', 32), 'hex')
      )
    returning
      user_id,
      sessions_ended_at
  ),
  ended as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
      and sid_sha256 between $2 and $2 || decode(repeat('ff', 32), 'hex')
  ),
  kept as (
    update sessions
    set
      begun_after = changed.sessions_ended_at
    from
      changed
    where
      sessions.user_id = changed.user_id
      and not (sid_sha256 between $2 and $2 || decode(repeat('ff', 32), 'hex'))
  )
select
  user_id
from
  changed
