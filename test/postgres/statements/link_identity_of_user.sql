with
  person as (
    select
      user_id
    from
      users
    where
      user_id = $1
      and not is_admin
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $10
      and users.disabled_at is null
    for no key update
  ),
  linked as (
    insert into
      identities (issuer, subject, user_id, label)
    select
      $2,
      $3,
      user_id,
      $4
    from
      person
    where
      count_identities (user_id) < 20
      and exists (
        select
        from
          providers
        where
          name = $5
          and $2 = any (providers.issuers)
          and providers.disabled_at is null
      )
    on conflict (issuer, subject) do nothing
    returning
      user_id
  ),
  identity_linked as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'identity_linked',
      user_id,
      null,
      null,
      $5,
      $6,
      $7,
      acting_administrator ($8::bytea)
    from
      linked
  ),
  identity_linked_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $9::bytea
    from
      linked
    where
      $9::bytea is not null
  )
select
  user_id
from
  linked
