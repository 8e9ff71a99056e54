with
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
      mailed_links links
    where
      links.token_sha256 = $1
      and links.expires_at > now()
      and links.created_at < now() + interval '1 day'
      and links.purpose = 'not_me'
    for update
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
                  totp_factors
                where
                  totp_factors.user_id = links.user_id
                  and totp_factors.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
              )
              or exists (
                select
                from
                  passkeys
                where
                  passkeys.user_id = links.user_id
                  and passkeys.rp_id = $5
                  and passkeys.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
              )
            )
            or (
              exists (
                select
                from
                  recovery_codes
                where
                  recovery_codes.user_id = links.user_id
                  and recovery_codes.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at) is not false
              )
              and not exists (
                select
                from
                  totp_factors
                where
                  totp_factors.user_id = links.user_id
              )
            )
          )
        ) then users.second_factor_since
      end,
      factors_changed_at = clock_timestamp(),
      sessions_ended_at = clock_timestamp()
    from
      opened links
    where
      users.user_id = links.user_id
      and (
        links.purpose <> 'not_me'
        or links.address is not null
        or users.email is not distinct from links.detail ->> 'to'
      )
      and users.disabled_at is null
    returning
      users.user_id,
      users.second_factor_since is not null as has_second_factor,
      (
        $2
        and coalesce(users.password_reset_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at), true)
      ) as takes_factor,
      (
        exists (
          select
          from
            totp_factors
          where
            totp_factors.user_id = links.user_id
            and true
        )
        or exists (
          select
          from
            passkeys
          where
            passkeys.user_id = links.user_id
            and passkeys.rp_id = $5
            and (
              passkeys.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
              or not passkeys.user_verified
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
            totp_factors
          where
            totp_factors.user_id = links.user_id
            and true
        )
        or exists (
          select
          from
            passkeys
          where
            passkeys.user_id = links.user_id
            and passkeys.rp_id = $5
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
      $3::bytea is not null
      and coalesce(users.password_hash, users.password_bcrypt) is not null as has_next
  ),
  used as (
    delete from mailed_links using changed
    where
      mailed_links.user_id = changed.user_id
      and not (
        mailed_links.purpose = 'reset'
        and changed.has_next
      )
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
    on conflict (user_id, purpose)
    where
      purpose in ('reset', 'address') do update
    set
      token_sha256 = excluded.token_sha256,
      address = null,
      account_sha256 = excluded.account_sha256,
      detail = excluded.detail,
      created_at = excluded.created_at,
      expires_at = excluded.expires_at
  ),
  unlinked as (
    delete from identities using changed
    where
      identities.user_id = changed.user_id
      and identities.linked_at >= changed.since
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
  ended as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
  ),
  revoked as (
    update grants
    set
      revoked_at = now()
    from
      changed
    where
      (
        grants.granted_at >= changed.since
        or grants.client_id = changed.client_id
      )
      and grants.user_id = changed.user_id
      and grants.revoked_at is null
    returning
      grants.user_id,
      grants.client_id
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
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      'second_factor_removed',
      user_id,
      null,
      null,
      $6,
      $7,
      $8::integer
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
  exists (
    select
    from
      lost_factor
  ) as lost_factor
from
  changed
