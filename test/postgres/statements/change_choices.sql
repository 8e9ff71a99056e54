with
  person as (
    select
      user_id
    from
      users
    where
      user_id = $1
      and users.disabled_at is null
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $8
    for share
  ),
  shown as (
    select
      grants.grant_id
    from
      person
      join grants on grants.user_id = person.user_id
    where
      grants.client_id = $2
      and grants.revoked_at is null
      and (
        grants.expires_at is null
        or grants.expires_at > now()
      )
      and grants.grant_id || '.' || extract(
        epoch
        from
          greatest(grants.granted_at, grants.changed_at)
      ) = $4
    for no key update of
      grants
  ),
  changed as (
    update grants
    set
      changed_at = now(),
      choices = coalesce(choices, '{}') || $3::jsonb
    from
      shown
    where
      grants.user_id = $1
      and grants.client_id = $2
      and grants.revoked_at is null
      and (
        grants.expires_at is null
        or grants.expires_at > now()
      )
    returning
      grants.user_id,
      grants.client_id
  ),
  changes as (
    select distinct
      user_id,
      client_id,
      $9::text as detail
    from
      changed
  ),
  consent_changed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'consent_changed',
      user_id,
      client_id,
      null,
      detail,
      $5,
      $6,
      acting_administrator ($7::bytea)
    from
      changes
  )
select
  user_id
from
  changes
