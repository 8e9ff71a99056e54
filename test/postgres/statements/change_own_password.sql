with
  changed as (
    update users
    set
      password_bcrypt = case
        when $3 ~ '^\$2[ab]\$' then $3
      end,
      password_hash = case
        when $3 !~ '^\$2[ab]\$' then $3
      end,
      sessions_ended_at = case
        when $2 <> $3 then clock_timestamp()
        else sessions_ended_at
      end
    where
      user_id = $1
      and coalesce(password_hash, password_bcrypt) = $2
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $9
      and users.disabled_at is null
    returning
      user_id,
      concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) as sessions_version
  ),
  signed_out as (
    select
      user_id
    from
      changed
    where
      $2 <> $3
  ),
  deleted_sessions as (
    delete from sessions using signed_out
    where
      sessions.user_id = signed_out.user_id
  ),
  revoked as (
    select
      user_id,
      revoke_grants (user_id, '-infinity', null) as client_id
    from
      changed
    where
      $4
  ),
  audit_event as (
    insert into
      audit_events (event, user_id, client_id, request_id, address)
    select distinct
      'consent_revoked',
      user_id,
      client_id,
      $5,
      $6
    from
      revoked
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
      $5,
      $6,
      acting_administrator ($7::bytea)
    from
      changed
  ),
  password_changed_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $8::bytea
    from
      changed
    where
      $8::bytea is not null
  )
select
  sessions_version
from
  changed
