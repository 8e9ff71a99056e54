with
  renewed as (
    update users
    set
      password_bcrypt = case
        when $3 ~ '^\$2[ab]\$' then $3
      end,
      password_hash = case
        when $3 !~ '^\$2[ab]\$' then $3
      end
    where
      user_id = $1
      and coalesce(password_hash, password_bcrypt) = $2
    returning
      user_id,
      email,
      email_verified
  ),
  kept_links as (
    update mailed_links
    set
      account_sha256 = sha256(convert_to(concat_ws(E'\n', coalesce($3, ''), renewed.email, renewed.email_verified), 'UTF8'))
    from
      renewed
    where
      mailed_links.user_id = renewed.user_id
      and mailed_links.account_sha256 = sha256(convert_to(concat_ws(E'\n', coalesce($2, ''), renewed.email, renewed.email_verified), 'UTF8'))
  )
select
  user_id
from
  renewed
