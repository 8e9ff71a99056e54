with
  owner as (
    select
      users.user_id,
      users.email
    from
      mailed_links links
      join users on users.user_id = links.user_id
    where
      links.token_sha256 = $1
    for no key update of
      users
  ),
  opened as (
    select
      links.token_sha256,
      links.user_id,
      links.purpose,
      links.address,
      links.detail,
      links.account_sha256,
      links.created_at
    from
      owner
      join mailed_links links on links.user_id = owner.user_id
    where
      links.token_sha256 = $1
      and links.purpose = 'not_me'
      and links.expires_at > now()
      and links.created_at < now() + interval '1 day'
    for update of
      links
  ),
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
      user_id = (
        select
          user_id
        from
          opened
      )
      and users.disabled_at is null
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
      user_id = (
        select
          user_id
        from
          opened
      )
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
      user_id = (
        select
          user_id
        from
          opened
      )
      and (
        select
          count(*)
        from
          keys
      ) >= 0
    for update
  ),
  codes as (
    select
      user_id,
      created_at
    from
      recovery_codes
    where
      user_id = (
        select
          user_id
        from
          opened
      )
      and (
        select
          count(*)
        from
          apps
      ) >= 0
    for update
  ),
  kept as (
    select
      exists (
        select
        from
          opened links
          cross join keys
        where
          keys.user_verified
          and keys.rp_id = $5
          and keys.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
      )
      or exists (
        select
        from
          opened links
          cross join person
          cross join linked
          join providers on linked.issuer = any (providers.issuers)
        where
          providers.disabled_at is null
          and not (
            linked.linked_at >= coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
            and linked.linked_at > person.created_at
          )
      )
      or exists (
        select
        from
          person
        where
          source in ('website', 'view')
      ) as is_way_in
  ),
  changed as (
    update users
    set
      email = coalesce(links.address, users.email),
      email_verified = users.email_verified
      or links.address is not null,
      pending_email = null,
      second_factor_since = case
        when not (
          $2
          and coalesce(users.password_reset_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at), true)
        )
        or (
          users.second_factor_since < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
          and (
            (
              exists (
                select
                from
                  apps
                where
                  apps.user_id = links.user_id
                  and apps.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
              )
              or exists (
                select
                from
                  keys
                where
                  keys.user_id = links.user_id
                  and keys.rp_id = $5
                  and keys.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
              )
            )
            or (
              exists (
                select
                from
                  codes
                where
                  codes.user_id = links.user_id
                  and codes.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at) is not false
              )
              and not exists (
                select
                from
                  apps
                where
                  apps.user_id = links.user_id
              )
            )
          )
        ) then users.second_factor_since
      end,
      factors_changed_at = clock_timestamp(),
      sessions_ended_at = clock_timestamp()
    from
      opened links
      join person on person.user_id = links.user_id
    where
      users.user_id = person.user_id
      and (
        links.purpose = 'reset'
        or users.email is not distinct from links.detail ->> 'to'
      )
    returning
      users.user_id,
      users.email,
      users.second_factor_since is not null as has_second_factor,
      (
        $2
        and coalesce(users.password_reset_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at), true)
      ) as takes_factor,
      (
        exists (
          select
          from
            apps
          where
            apps.user_id = links.user_id
            and true
        )
        or exists (
          select
          from
            keys
          where
            keys.user_id = links.user_id
            and keys.rp_id = $5
            and (
              keys.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
              or not keys.user_verified
            )
        )
      ) as has_other_factor,
      (
        $2
        and coalesce(users.password_reset_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at), true)
      )
      or (
        exists (
          select
          from
            apps
          where
            apps.user_id = links.user_id
            and true
        )
        or exists (
          select
          from
            keys
          where
            keys.user_id = links.user_id
            and keys.rp_id = $5
        )
      ) as can_lose_codes,
      coalesce((links.detail ->> 'since')::timestamptz, links.created_at) as since,
      links.detail ->> 'client_id' as client_id,
      sha256(
        convert_to(
          concat_ws(E'\n', coalesce(coalesce(users.password_hash, users.password_bcrypt), ''), users.email, users.email_verified),
          'UTF8'
        )
      ) as account_sha256,
      users.created_at,
      links.address is not null as brings_back,
      $3::bytea is not null
      and (
        person.has_password
        or not (
          select
            is_way_in
          from
            kept
        )
      ) as has_next
  ),
  used as (
    delete from mailed_links using changed
    where
      mailed_links.user_id = changed.user_id
      and case mailed_links.purpose
        when 'not_me' then mailed_links.token_sha256 = $1
        or changed.brings_back
        and coalesce((mailed_links.detail ->> 'since')::timestamptz, mailed_links.created_at) >= changed.since
        else not (
          mailed_links.purpose = 'reset'
          and mailed_links.account_sha256 is null
        )
      end
  ),
  followed as (
    update mailed_links
    set
      detail = mailed_links.detail || jsonb_build_object('to', changed.email)
    from
      changed
    where
      mailed_links.user_id = changed.user_id
      and mailed_links.purpose = 'not_me'
      and mailed_links.address is not null
      and mailed_links.detail ->> 'to' is not distinct from (
        select
          email
        from
          owner
      )
      and changed.brings_back
      and coalesce((mailed_links.detail ->> 'since')::timestamptz, mailed_links.created_at) < changed.since
  ),
  next as (
    insert into
      mailed_links (token_sha256, purpose, user_id, account_sha256, expires_at)
    select
      $3,
      'reset',
      user_id,
      account_sha256,
      now() + make_interval(secs => $4)
    from
      changed
    where
      has_next
  ),
  unlinked as (
    delete from identities using changed
    where
      identities.user_id = changed.user_id
      and (
        identities.linked_at >= changed.since
        and identities.linked_at > changed.created_at
      )
  ),
  lost_keys as (
    delete from passkeys using changed
    where
      passkeys.user_id = changed.user_id
      and passkeys.created_at >= changed.since
      and (
        changed.takes_factor
        or not changed.has_second_factor
        or (
          passkeys.user_verified
          and changed.has_other_factor
        )
      )
    returning
      passkeys.user_id
  ),
  lower_keys as (
    update passkeys
    set
      user_verified = false
    from
      changed
    where
      passkeys.user_id = changed.user_id
      and passkeys.created_at >= changed.since
      and changed.has_second_factor
      and not changed.takes_factor
      and not changed.has_other_factor
  ),
  lost_app as (
    delete from totp_factors using changed
    where
      totp_factors.user_id = changed.user_id
      and totp_factors.created_at >= changed.since
      and changed.takes_factor
    returning
      totp_factors.user_id
  ),
  lost_codes as (
    delete from recovery_codes using changed
    where
      recovery_codes.user_id = changed.user_id
      and (
        not changed.has_second_factor
        or exists (
          select
          from
            lost_app
        )
        or (
          changed.can_lose_codes
          and recovery_codes.created_at >= changed.since
        )
      )
  ),
  deleted_sessions as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
  ),
  revoked as (
    select
      user_id,
      revoke_grants (user_id, since, client_id) as client_id
    from
      changed
    where
      true
  ),
  audit_event as (
    insert into
      audit_events (event, user_id, client_id, request_id, address)
    select distinct
      'consent_revoked',
      user_id,
      client_id,
      $6,
      $7
    from
      revoked
  ),
  lost_factor as (
    select
      user_id
    from
      changed
    where
      takes_factor
      and not has_second_factor
      and (
        exists (
          select
          from
            lost_app
        )
        or exists (
          select
          from
            lost_keys
        )
      )
  ),
  second_factor_removed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'second_factor_removed',
      user_id,
      null,
      null,
      null,
      $6,
      $7,
      acting_administrator ($8::bytea)
    from
      lost_factor
  ),
  second_factor_removed_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $9::bytea
    from
      lost_factor
    where
      $9::bytea is not null
  ),
  secured_event as (
    insert into
      audit_events (event, user_id, request_id, address)
    select
      'account_secured',
      user_id,
      $6,
      $7
    from
      changed
  )
select
  has_next,
  has_next
  or (
    select
      is_way_in
    from
      kept
  ) as has_way_in,
  exists (
    select
    from
      lost_factor
  ) as lost_factor
from
  changed
