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
      and links.purpose = 'address'
      and links.user_id = $2
    for update
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
      used_proofs (proof_sha256, expires_at)
    select
      $3,
      now() + interval '10 minutes'
    from
      changed
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
      and true
  )
select
  user_id
from
  changed
