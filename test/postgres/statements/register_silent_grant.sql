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
      ) = $12
    for share
  ),
  granted as (
    insert into
      grants (user_id, client_id, scopes, redirect_uris, gives_username, decided, duration, silent, client_name)
    select
      user_id,
      client_id,
      $3,
      redirect_uris,
      $5,
      $6,
      'always',
      true,
      name
    from
      person
      cross join clients
    where
      client_id = $2
      and consent = 'none'
      and vouched
      and redirect_uris = $4
      and clients.disabled_at is null
      and not exists (
        select
        from
          own_decisions
        where
          own_decisions.user_id = $1
          and own_decisions.client_id = $2
      )
      and not exists (
        select
        from
          grants
        where
          grants.user_id = $1
          and grants.client_id = $2
      )
    on conflict do nothing
    returning
      grant_id,
      user_id,
      client_id
  ),
  consent_given as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'consent_given',
      user_id,
      client_id,
      null,
      $7,
      $8,
      $9,
      acting_administrator ($10::bytea)
    from
      granted
  ),
  consent_given_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $11::bytea
    from
      granted
    where
      $11::bytea is not null
  )
select
  grant_id
from
  granted
