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
        else email_verified
        and coalesce($3 = email, true)
      end,
      pending_email = case
        when not $4
        and $3::text is null then pending_email
      end
    where
      user_id = $1
      and deleted_at is null
    returning
      user_id
  ),
  told as (
    insert into
      mails (kind, user_id, sealed)
    select
      'address_changing',
      user_id,
      $5::bytea
    from
      changed
    where
      $5::bytea is not null
  )
select
  user_id
from
  changed
