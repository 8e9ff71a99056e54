with
  changed as (
    update users
    set
      second_factor_since = coalesce(second_factor_since, now()),
      factors_changed_at = clock_timestamp(),
      sessions_ended_at = clock_timestamp()
    where
      user_id = $1
      and users.disabled_at is null
      and coalesce(users.factors_changed_at::text, '') = $3
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $10
    returning
      users.user_id,
      concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) as sessions_version
  ),
  totp as (
    insert into
      totp_factors (user_id, secret, last_step)
    select
      user_id,
      $4,
      $5
    from
      changed
    on conflict (user_id) do update
    set
      secret = excluded.secret,
      last_step = excluded.last_step,
      created_at = now()
  ),
  deleted_recovery_codes as (
    delete from recovery_codes using changed
    where
      recovery_codes.user_id = changed.user_id
  ),
  codes as (
    insert into
      recovery_codes (user_id, code_sha256)
    select
      changed.user_id,
      code_sha256
    from
      changed
      cross join unnest($2::bytea[]) as code_sha256
  ),
  deleted_sessions as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
  ),
  second_factor_added as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'second_factor_added',
      user_id,
      null,
      null,
      null,
      $6,
      $7,
      acting_administrator ($8::bytea)
    from
      changed
  ),
  second_factor_added_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $9::bytea
    from
      changed
    where
      $9::bytea is not null
  )
select
  sessions_version
from
  changed
