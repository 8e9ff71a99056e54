with
  ended as (
    delete from sessions
    where
      sid_sha256 in (
        select
          sid_sha256
        from
          sessions
        where
          user_id = $2
          and sid_sha256 <> $1
        order by
          last_used_at desc
        offset
          99
        limit
          100
      )
  ),
  spoken as (
    update users
    set
      language = $7,
      chosen_language = coalesce(chosen_language, $8::text),
      seen_on = current_date
    where
      user_id = $2
      and (
        language is distinct from $7
        or chosen_language is null
        and $8::text is not null
        or seen_on <= current_date - 7
      )
  ),
  at_provider as (
    select
      provider_session_id
    from
      provider_sessions
    where
      provider_session_id = $15
      and ended_at is null
    for share
  ),
  started as (
    insert into
      sessions (sid_sha256, user_id, data, user_agent, methods, auth_time, begun_after)
    select
      $1,
      user_id,
      $3,
      $4,
      $5,
      coalesce($6, now()),
      coalesce(users.sessions_ended_at, '-infinity')
    from
      users
    where
      user_id = $2
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $14
      and (
        $15::bigint is null
        or exists (
          select
          from
            at_provider
        )
      )
    returning
      user_id,
      auth_time
  ),
  signed_in_person as (
    select
      user_id
    from
      started
    where
      $9
  ),
  signed_in as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'signed_in',
      user_id,
      null,
      null,
      concat_ws(' · ', array_to_string($5::text[], ' '), $16::text),
      $10,
      $11,
      acting_administrator ($12::bytea)
    from
      signed_in_person
  ),
  signed_in_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $13::bytea
    from
      signed_in_person
    where
      $13::bytea is not null
  )
select
  auth_time
from
  started
