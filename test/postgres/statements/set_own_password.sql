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
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $7
      and users.disabled_at is null
    returning
      user_id
  ),
  password_changed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'password_changed',
      user_id,
      null,
      null,
      'set',
      $3,
      $4,
      acting_administrator ($5::bytea)
    from
      changed
  ),
  password_changed_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $6::bytea
    from
      changed
    where
      $6::bytea is not null
  )
select
  user_id
from
  changed
