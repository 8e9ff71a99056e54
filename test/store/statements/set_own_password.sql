with
  changed as (
    update users
    set
      password_bcrypt = case
        when $2 ~ '^\$2[ab]\$' then $2
      end,
      password_hash = case
        when $2 !~ '^\$2[ab]\$' then $2
      end
    where
      user_id = $1
      and coalesce(password_hash, password_bcrypt) is null
      and source = 'here'
      and users.disabled_at is null
    returning
      user_id
  ),
  audit_event as (
    insert into
      audit_events (event, user_id, detail, request_id, address)
    select
      'password_changed',
      user_id,
      'set',
      $3,
      $4
    from
      changed
  )
select
  user_id
from
  changed
