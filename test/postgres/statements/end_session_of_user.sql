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
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $3::text,
      coalesce($4::integer, null),
      $5::text,
      coalesce($6::text, null),
      $7,
      $8,
      acting_administrator ($9::bytea)
    from
      changed
    limit
      1
  )
select
  user_id
from
  changed
