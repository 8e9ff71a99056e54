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
      ) = $8
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
  removed as (
    delete from passkeys using person
    where
      passkeys.user_id = person.user_id
      and passkeys.credential_id = $2
      and (
        not passkeys.user_verified
        or passkeys.rp_id <> $3
        or person.source <> 'here'
        or person.has_password
        or exists (
          select
          from
            linked
            join providers on linked.issuer = any (providers.issuers)
          where
            providers.disabled_at is null
        )
        or exists (
          select
          from
            keys
          where
            keys.credential_id <> $2
            and keys.user_verified
            and keys.rp_id = $3
        )
      )
      and (
        not person.has_second_factor
        or exists (
          select
          from
            apps
        )
        or exists (
          select
          from
            keys
          where
            keys.credential_id <> $2
            and keys.rp_id = $3
        )
      )
    returning
      passkeys.user_id,
      passkeys.name
  ),
  noted as (
    update users
    set
      factors_changed_at = clock_timestamp()
    from
      removed
    where
      users.user_id = removed.user_id
  ),
  passkey_removed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'passkey_removed',
      user_id,
      null,
      null,
      name,
      $4,
      $5,
      acting_administrator ($6::bytea)
    from
      removed
  ),
  passkey_removed_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $7::bytea
    from
      removed
    where
      $7::bytea is not null
  )
select
  user_id
from
  removed
