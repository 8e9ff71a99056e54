with
  changed as (
    update users
    set
      factors_changed_at = clock_timestamp()
    where
      user_id = $1
      and second_factor_since is not null
      and users.disabled_at is null
      and coalesce(users.factors_changed_at::text, '') = $3
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $8
    returning
      user_id
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
  recovery_codes_renewed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'recovery_codes_renewed',
      user_id,
      null,
      null,
      null,
      $4,
      $5,
      acting_administrator ($6::bytea)
    from
      changed
  ),
  recovery_codes_renewed_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $7::bytea
    from
      changed
    where
      $7::bytea is not null
  )
select
  user_id
from
  changed
