with
  person as (
    select
      user_id,
      second_factor_since is null
      and cardinality($12::bytea[]) > 0 as has_first
    from
      users
    where
      user_id = $1
      and users.disabled_at is null
      and users.source = 'here'
      and concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) = $21
    for no key update
  ),
  used as (
    insert into
      used_proofs (proof_sha256, expires_at)
    select
      $2,
      to_timestamp($3)
    from
      person
    where
      now() < to_timestamp($3)
      and count_passkeys (user_id) < 20
    on conflict do nothing
    returning
      proof_sha256
  ),
  added as (
    insert into
      passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
    select
      $4,
      $1,
      $5,
      $6,
      $7,
      $8,
      $9,
      $10,
      $11
    from
      used
    on conflict (credential_id) do nothing
    returning
      user_id,
      name
  ),
  passkey_added as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'passkey_added',
      user_id,
      null,
      null,
      name,
      $13,
      $14,
      acting_administrator ($15::bytea)
    from
      added
  ),
  passkey_added_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $16::bytea
    from
      added
    where
      $16::bytea is not null
  ),
  noted as (
    update users
    set
      second_factor_since = case
        when has_first then now()
        else second_factor_since
      end,
      factors_changed_at = clock_timestamp(),
      sessions_ended_at = case
        when has_first then clock_timestamp()
        else sessions_ended_at
      end
    from
      person
      join added on added.user_id = person.user_id
    where
      users.user_id = person.user_id
    returning
      users.user_id,
      has_first,
      concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) as sessions_version
  ),
  changed as (
    select
      user_id
    from
      noted
    where
      has_first
  ),
  deleted_recovery_codes as (
    delete from recovery_codes using changed
    where
      recovery_codes.user_id = changed.user_id
  ),
  codes as (
    insert into
      recovery_codes (user_id, code_sha256)
    select
      changed.user_id,
      code_sha256
    from
      changed
      cross join unnest($12::bytea[]) as code_sha256
  ),
  deleted_sessions as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
  ),
  second_factor_added as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'second_factor_added',
      user_id,
      null,
      null,
      null,
      $17,
      $18,
      acting_administrator ($19::bytea)
    from
      changed
  ),
  second_factor_added_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $20::bytea
    from
      changed
    where
      $20::bytea is not null
  )
select
  has_first,
  sessions_version
from
  noted
