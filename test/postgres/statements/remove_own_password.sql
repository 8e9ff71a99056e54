with
  person as (
    select
      user_id,
      source,
      created_at,
      coalesce(password_hash, password_bcrypt) is not null as has_password,
      second_factor_since is not null as has_second_factor
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
      ) = $7
    for no key update
  ),
  linked as (
    select
      identities.issuer,
      identities.subject,
      identities.linked_at
    from
      person
      join identities on identities.user_id = person.user_id
    order by
      issuer,
      subject
    for update of
      identities
  ),
  keys as (
    select
      user_id,
      credential_id,
      rp_id,
      user_verified,
      created_at
    from
      passkeys
    where
      user_id = $1
      and (
        select
          count(*)
        from
          linked
      ) >= 0
    order by
      credential_id
    for update
  ),
  apps as (
    select
      user_id,
      created_at
    from
      totp_factors
    where
      user_id = $1
      and (
        select
          count(*)
        from
          keys
      ) >= 0
    for update
  ),
  changed as (
    update users
    set
      password_bcrypt = null,
      password_hash = null
    from
      person
    where
      users.user_id = person.user_id
      and person.has_password
      and person.source = 'here'
      and exists (
        select
        from
          keys
        where
          keys.user_verified
          and keys.rp_id = $2
      )
    returning
      users.user_id
  ),
  password_changed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'password_changed',
      user_id,
      null,
      null,
      'removed',
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
