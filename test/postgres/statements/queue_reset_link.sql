with
  person as (
    select
      user_id
    from
      users
    where
      user_id = $1
      and source = 'here'
      and email_verified
      and coalesce(password_hash, password_bcrypt) is not null
      and users.disabled_at is null
  ),
  queued as (
    insert into
      mails (kind, user_id, sealed)
    select
      'reset_link',
      user_id,
      $2
    from
      person
  ),
  reset_link_issued as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'reset_link_issued',
      user_id,
      null,
      null,
      'by mail',
      $3,
      $4,
      acting_administrator ($5::bytea)
    from
      person
  )
select
  user_id
from
  person
