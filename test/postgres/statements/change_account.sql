with
  changed as (
    update users
    set
      name = coalesce($2, name),
      email = coalesce(
        $3,
        case
          when $4 then pending_email
        end,
        email
      ),
      email_verified = case
        when $4 then coalesce($3, pending_email, email) is not null
        when not $4 then false
        else email_verified
        and coalesce($3 = email, true)
      end,
      pending_email = case
        when $4 is not true
        and $3::text is null then pending_email
      end
    where
      user_id = $1
      and deleted_at is null
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
        or (
          $3::text is not null
          or $4::boolean is not null
        )
        and 'email' = any (
          case
            when users.source = 'here'
            or users.source = 'view'
            and users.is_admin then '{}'
            else coalesce(users.kept_there, '{name,email}')
          end
        )
      ) is not true
      and (
        $6::jsonb is null
        or jsonb_build_object('name', name, 'email', email, 'email_verified', email_verified) = $6
      )
    returning
      user_id
  ),
  told as (
    insert into
      mails (kind, user_id, sealed)
    select
      'address_replaced',
      user_id,
      $5::bytea
    from
      changed
    where
      $5::bytea is not null
  ),
  ended_links as (
    delete from mailed_links using changed
    where
      mailed_links.user_id = changed.user_id
      and (
        $3::text is not null
        or $4::boolean is not null
      )
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $7::text,
      coalesce($8::integer, null),
      $9::text,
      coalesce($10::text, null),
      $11,
      $12,
      acting_administrator ($13::bytea)
    from
      changed
    limit
      1
  )
select
  user_id
from
  changed
