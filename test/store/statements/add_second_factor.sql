with
  changed as (
    update users
    set
      second_factor_since = coalesce(second_factor_since, now()),
      factors_changed_at = clock_timestamp()
    where
      user_id = $1
      and users.disabled_at is null
      and coalesce(users.factors_changed_at::text, '') = $5
    returning
      user_id
  ),
  totp as (
    insert into
      totp_factors (user_id, secret, last_step)
    select
      user_id,
      $6,
      $7
    from
      changed
    on conflict (user_id) do update
    set
      secret = excluded.secret,
      last_step = excluded.last_step,
      created_at = now()
  ),
  removed_codes as (
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
  ended as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
  ),
  audit_event as (
    insert into
      audit_events (event, user_id, request_id, address)
    select
      'second_factor_added',
      user_id,
      $3,
      $4
    from
      changed
  )
select
  user_id
from
  changed
