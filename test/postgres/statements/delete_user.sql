with
  administrators as (
    select
      user_id,
      is_admin
      and users.disabled_at is null as administers
    from
      users
    where
      true
      and (
        user_id = $1
        or is_admin
        and users.disabled_at is null
      )
    order by
      user_id
    for no key update
  ),
  deleted as (
    update users
    set
      deleted_at = now(),
      disabled_at = least(disabled_at, now()),
      imported_disabled = false,
      disabled_there = false,
      gone_there = false,
      kept_there = null,
      is_admin = false,
      is_demo = false,
      username = null,
      -- without it, the number would be the subject, and that may be somebody else's
      subject = case
        when subject is not null then gen_random_uuid()::text
      end,
      password_bcrypt = null,
      password_hash = null,
      registered_password_bcrypt = null,
      email = null,
      email_verified = false,
      pending_email = null,
      language = null,
      chosen_language = null,
      wants_notices = true,
      name = null,
      password_reset_at = null,
      second_factor_since = null,
      factors_changed_at = null,
      sessions_ended_at = null,
      second_factor_demanded_at = null,
      passkey_handle = null,
      -- the day of the deletion
      seen_on = default
    where
      user_id = $1
      and deleted_at is null
      and (
        $2::text is null
        or coalesce(password_hash, password_bcrypt) = $2
      )
      and (
        $5::text is null
        or (
          disabled_at is null
          and concat(
            extract(
              epoch
              from
                users.sessions_ended_at
            ),
            '/' || hashtext (users.registered_password_bcrypt)
          ) = $5
        )
      )
      and exists (
        select
        from
          administrators
        where
          administers <> (administrators.user_id = $1)
      )
    returning
      user_id
  ),
  deleted_sessions as (
    delete from sessions using deleted
    where
      sessions.user_id = deleted.user_id
  ),
  deleted_totp_factors as (
    delete from totp_factors using deleted
    where
      totp_factors.user_id = deleted.user_id
  ),
  deleted_recovery_codes as (
    delete from recovery_codes using deleted
    where
      recovery_codes.user_id = deleted.user_id
  ),
  deleted_mails as (
    delete from mails using deleted
    where
      mails.user_id = deleted.user_id
  ),
  deleted_mailed_links as (
    delete from mailed_links using deleted
    where
      mailed_links.user_id = deleted.user_id
  ),
  deleted_seeded_rows as (
    delete from seeded_rows using deleted
    where
      seeded_rows.user_id = deleted.user_id
  ),
  deleted_identities as (
    delete from identities using deleted
    where
      identities.user_id = deleted.user_id
  ),
  deleted_passkeys as (
    delete from passkeys using deleted
    where
      passkeys.user_id = deleted.user_id
  ),
  deleted_own_decisions as (
    delete from own_decisions using deleted
    where
      own_decisions.user_id = deleted.user_id
  ),
  deleted_provider_sessions as (
    delete from provider_sessions using deleted
    where
      provider_sessions.user_id = deleted.user_id
  ),
  revoked as (
    update grants
    set
      revoked_at = now()
    from
      deleted
    where
      grants.user_id = deleted.user_id
      and grants.revoked_at is null
    returning
      grants.client_id
  ),
  disabled as (
    update clients
    set
      disabled_at = least(clients.disabled_at, now()),
      disabled_by_owner = false,
      owner_id = null
    from
      deleted
    where
      clients.owner_id = deleted.user_id
    returning
      clients.client_id
  ),
  deleted_documents as (
    update clients
    set
      deleted_at = now(),
      disabled_at = least(clients.disabled_at, now())
    from
      deleted
    where
      clients.only_for = deleted.user_id
      and clients.deleted_at is null
  ),
  audit_event as (
    insert into
      audit_events (event, user_id, client_id, request_id, address)
    select
      event,
      user_id,
      client_id,
      $3,
      $4
    from
      deleted
      cross join lateral (
        select
          'user_deleted' as event,
          null::text as client_id
        union all
        select distinct
          'consent_revoked',
          client_id
        from
          revoked
        union all
        select
          'client_disabled',
          client_id
        from
          disabled
      ) events
  )
select
  array(
    select
      client_id
    from
      disabled
    order by
      client_id
  ) as disabled_clients
from
  deleted
