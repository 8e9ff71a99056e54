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
  user_id
