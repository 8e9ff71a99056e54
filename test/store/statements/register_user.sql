select
  register_user (username => $1, password => $2, name => $3, email => $4) as user_id
