update users
set
  wants_notices = $2
where
  user_id = $1
  and wants_notices = $3
returning
  user_id
