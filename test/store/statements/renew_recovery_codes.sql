with
  changed as (
    select
      user_id
    from
      users
    where
      user_id = $1
      and second_factor_since is not null
      and users.disabled_at is null
    for no key update
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
  audit_event as (
    insert into
      audit_events (event, user_id, request_id, address)
    select
      'recovery_codes_renewed',
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
