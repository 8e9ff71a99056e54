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
      and links.purpose = 'address'
      and links.user_id = $2
      and links.expires_at > now()
      and links.created_at < now() + interval '1 day'
    for update of
      links
  ),
  changed as (
    update users
    set
      email = links.address,
      email_verified = true,
      pending_email = null
    from
      opened links
    where
      users.user_id = links.user_id
      and links.address = coalesce(
        nullif(users.pending_email, users.email),
        case
          when not users.email_verified then users.email
        end
      )
      and (
        links.purpose = 'reset'
        or users.email is not distinct from links.detail ->> 'to'
      )
      and users.disabled_at is null
      and (
        (true)
        and 'email' = any (
          case
            when users.source = 'here'
            or users.source = 'view'
            and users.is_admin then '{}'
            else coalesce(users.kept_there, '{name,email}')
          end
        )
      ) is not true
    returning
      users.user_id,
      users.email
  ),
  used as (
    delete from mailed_links using changed
    where
      mailed_links.user_id = changed.user_id
      and mailed_links.purpose in ('address', 'reset')
      and not (
        mailed_links.purpose = 'reset'
        and mailed_links.account_sha256 is null
      )
  ),
  remembered as (
    insert into
      used_proofs (proof_sha256, expires_at, detail)
    select
      digest,
      now() + interval '10 minutes',
      null::jsonb
    from
      changed,
      unnest(array[$3]::bytea[]) digest
    on conflict do nothing
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
      and true
  ),
  address_confirmed as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'address_confirmed',
      user_id,
      null,
      null,
      null,
      $4,
      $5,
      acting_administrator ($6::bytea)
    from
      changed
  )
select
  user_id
from
  changed
