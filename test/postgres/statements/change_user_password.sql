with
  changed as (
    update users
    set
      password_bcrypt = case
        when $2 ~ '^\$2[ab]\$' then $2
      end,
      password_hash = case
        when $2 !~ '^\$2[ab]\$' then $2
      end,
      sessions_ended_at = clock_timestamp()
    where
      user_id = $1
    returning
      user_id
  ),
  ended_links as (
    delete from mailed_links using changed
    where
      mailed_links.user_id = changed.user_id
      and mailed_links.purpose = 'reset'
  ),
  deleted_sessions as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
  ),
  password_changed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'password_changed',
      user_id,
      null,
      null,
      null,
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
