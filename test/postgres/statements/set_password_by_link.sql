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
      and links.purpose = 'reset'
      and links.expires_at > now()
      and links.created_at < now() + interval '1 day'
    for update of
      links
  ),
  changed as (
    update users
    set
      password_bcrypt = case
        when $2 ~ '^\$2[ab]\$' then $2
      end,
      password_hash = case
        when $2 !~ '^\$2[ab]\$' then $2
      end,
      password_reset_at = now(),
      sessions_ended_at = clock_timestamp()
    from
      opened links
    where
      users.user_id = links.user_id
      and (
        links.account_sha256 is null
        or links.account_sha256 = sha256(
          convert_to(
            concat_ws(E'\n', coalesce(coalesce(users.password_hash, users.password_bcrypt), ''), users.email, users.email_verified),
            'UTF8'
          )
        )
      )
      and users.disabled_at is null
    returning
      users.user_id,
      links.detail,
      concat(
        extract(
          epoch
          from
            users.sessions_ended_at
        ),
        '/' || hashtext (users.registered_password_bcrypt)
      ) as sessions_version
  ),
  used as (
    delete from mailed_links using changed
    where
      mailed_links.user_id = changed.user_id
      and mailed_links.purpose = 'reset'
  ),
  remembered as (
    insert into
      used_proofs (proof_sha256, expires_at, detail)
    select
      digest,
      now() + interval '10 minutes',
      changed.detail || jsonb_build_object('user_id', changed.user_id)
    from
      changed,
      unnest($8::bytea[]) digest
    on conflict do nothing
  ),
  deleted_sessions as (
    delete from sessions using changed
    where
      sessions.user_id = changed.user_id
  ),
  revoked as (
    select
      user_id,
      revoke_grants (user_id, '-infinity', null) as client_id
    from
      changed
    where
      $3
  ),
  audit_event as (
    insert into
      audit_events (event, user_id, client_id, request_id, address)
    select distinct
      'consent_revoked',
      user_id,
      client_id,
      $4,
      $5
    from
      revoked
  ),
  password_reset as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'password_reset',
      user_id,
      null,
      null,
      null,
      $4,
      $5,
      acting_administrator ($6::bytea)
    from
      changed
  ),
  password_reset_notice as (
    insert into
      mails (kind, user_id, sealed)
    select
      'notice',
      user_id,
      $7::bytea
    from
      changed
    where
      $7::bytea is not null
  )
select
  user_id,
  sessions_version
from
  changed
