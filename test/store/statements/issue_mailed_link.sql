with
  issued as (
    insert into
      mailed_links as links (token_sha256, purpose, user_id, address, account_sha256, detail, expires_at)
    select
      $1,
      $2,
      users.user_id,
      $4,
      case
        when $2 = 'reset'
        and not $7 then sha256(
          convert_to(
            concat_ws(E'\n', coalesce(coalesce(users.password_hash, users.password_bcrypt), ''), users.email, users.email_verified),
            'UTF8'
          )
        )
      end,
      $5,
      now() + make_interval(secs => $6)
    from
      users
    where
      users.user_id = $3
      and (
        $2 = 'reset'
        or users.email is not distinct from $5::jsonb ->> 'to'
      )
      and users.disabled_at is null
    for share of
      users
    returning
      user_id
  ),
  ended as (
    delete from mailed_links using issued
    where
      $7
      and mailed_links.user_id = issued.user_id
      and mailed_links.purpose = $2
  )
select
  user_id
from
  issued
