with
  earlier as (
    select
      user_id as id,
      jsonb_build_object('name', name, 'email', email, 'pending_email', nullif(pending_email, email)) as profile
    from
      users
    where
      user_id = $1
      and users.disabled_at is null
      and (
        ($2::text is not null)
        and 'name' = any (
          case
            when users.source = 'here'
            or users.source = 'view'
            and users.is_admin then '{}'
            else coalesce(users.kept_there, '{name,email}')
          end
        )
        or ($3::text is not null)
        and 'email' = any (
          case
            when users.source = 'here'
            or users.source = 'view'
            and users.is_admin then '{}'
            else coalesce(users.kept_there, '{name,email}')
          end
        )
      ) is not true
    for update
  ),
  changed as (
    update users
    set
      name = coalesce($2, name),
      email = case
        when (
          email_verified
          or $4
        ) then email
        else coalesce($3, email)
      end,
      pending_email = case
        when (
          email_verified
          or $4
        ) then coalesce($3, pending_email)
      end
    from
      earlier
    where
      user_id = earlier.id
      and (
        $5::jsonb is null
        or earlier.profile @> $5
      )
    returning
      user_id,
      coalesce(users.subject, users.user_id::text) as sub,
      source,
      case
        when users.source = 'here'
        or users.source = 'view'
        and users.is_admin then '{}'
        else coalesce(users.kept_there, '{name,email}')
      end as kept_elsewhere,
      username,
      coalesce(password_hash, password_bcrypt) is not null as has_password,
      second_factor_since is not null as has_second_factor,
      exists (
        select
        from
          totp_factors
        where
          totp_factors.user_id = users.user_id
      ) as has_app,
      name,
      email,
      email_verified,
      is_admin,
      created_at,
      disabled_at,
      wants_notices,
      nullif(pending_email, email) as pending_email,
      jsonb_build_object('name', name, 'email', email, 'pending_email', nullif(pending_email, email)) <> earlier.profile as is_other
  ),
  other as (
    select
    from
      changed
    where
      is_other
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $6::text,
      coalesce($7::integer, null),
      $8::text,
      coalesce($9::text, null),
      $10,
      $11,
      acting_administrator ($12::bytea)
    from
      other
    limit
      1
  )
select
  changed.*
from
  changed
