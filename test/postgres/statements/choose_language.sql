update users
set
  chosen_language = $2
where
  user_id = $1
