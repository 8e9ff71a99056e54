with
  changed as (
    update users
    set
      second_factor_since = null,
      second_factor_demanded_at = null,
      factors_changed_at = clock_timestamp(),
      sessions_ended_at = clock_timestamp()
    where
      user_id = $1
      and second_factor_since is not null
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = coalesce(
        $6,
        concat(
          extract(
            epoch
            from
              users.sessions_ended_at
          ),
          '/' || hashtext (users.registered_password_bcrypt)
        )
      )
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
  deleted_totp_factors as (
    delete from totp_factors using changed
    where
      totp_factors.user_id = changed.user_id
  ),
  deleted_recovery_codes as (
    delete from recovery_codes using changed
    where
      recovery_codes.user_id = changed.user_id
  ),
  deleted_sessions as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
  ),
  second_factor_removed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'second_factor_removed',
      user_id,
      null,
      null,
      null,
      $2,
      $3,
      acting_administrator ($4::bytea)
    from
      changed
  ),
  second_factor_removed_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $5::bytea
    from
      changed
    where
      $5::bytea is not null
  )
select
  sessions_version
from
  changed
