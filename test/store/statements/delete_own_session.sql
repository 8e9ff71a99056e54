with
  ended as (
    delete from sessions
    where
      user_id = $1
      and sid_sha256 between $2 and $2 || decode(repeat('ff', 32), 'hex')
    returning
      user_id
  ),
  noted as (
    update users
    set
      sessions_ended_at = clock_timestamp()
    where
      user_id in (
        select
          user_id
        from
          ended
      )
  )
select
  user_id
from
  ended
