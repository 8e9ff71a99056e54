with
  person as (
    select
      user_id
    from
      users
    where
      user_id = $2
      and users.disabled_at is null
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $8
    for share
  ),
  pushed as (
    select
      request_sha256
    from
      pushed_requests pushed
    where
      request_sha256 = $4
      and client_id = $3
      and pushed.completed_at is null
      and (
        pushed.expires_at > now()
        or pushed.opened_at > now() - interval '1 hour'
      )
    for no key update
  ),
  first_answer as (
    insert into
      consent_decisions (ticket_sha256)
    select
      $1
    from
      person
    where
      $4::bytea is null
      or exists (
        select
        from
          pushed
      )
    on conflict do nothing
    returning
      $2::integer as user_id,
      $3::text as client_id
  ),
  answered as (
    update pushed_requests
    set
      completed_at = now()
    from
      first_answer
    where
      request_sha256 = $4
  ),
  own_decision as (
    insert into
      own_decisions (user_id, client_id)
    select
      user_id,
      client_id
    from
      first_answer
    on conflict do nothing
  ),
  consent_refused as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'consent_refused',
      user_id,
      client_id,
      null,
      null,
      $5,
      $6,
      acting_administrator ($7::bytea)
    from
      first_answer
  )
select
  exists (
    select
    from
      first_answer
  ) as is_first,
  $4::bytea is null
  or exists (
    select
    from
      pushed
  ) as is_open
