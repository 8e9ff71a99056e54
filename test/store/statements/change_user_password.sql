update users
set
  password_bcrypt = case
    when $2 ~ '^\$2[ab]\$' then $2
  end,
  password_hash = case
    when $2 !~ '^\$2[ab]\$' then $2
  end
where
  username = $1
returning
  user_id
