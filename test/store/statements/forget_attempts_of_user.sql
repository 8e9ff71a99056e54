delete from attempts
where
  user_id = $1
returning
  key
