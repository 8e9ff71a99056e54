update users
set
  wants_notices = $2
where
  user_id = $1
