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
      ) = $9
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
  unlinked as (
    delete from identities using person
    where
      identities.user_id = person.user_id
      and identities.issuer = $2
      and identities.subject = $3
      and (
        $4
        and (
          person.has_password
          or person.source = 'here'
          and exists (
            select
            from
              keys
            where
              keys.user_verified
              and keys.rp_id = $8
          )
        )
        or $7
        and person.source = 'website'
        or exists (
          select
          from
            linked others
            join providers on others.issuer = any (providers.issuers)
          where
            (others.issuer, others.subject) <> ($2, $3)
            and providers.disabled_at is null
        )
      )
    returning
      identities.user_id
  ),
  audit_event as (
    insert into
      audit_events (event, user_id, detail, request_id, address)
    select
      'identity_unlinked',
      user_id,
      $2,
      $5,
      $6
    from
      unlinked
  )
select
  user_id
from
  unlinked
