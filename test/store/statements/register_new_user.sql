select
  register_user (username => $1, password => $2, is_admin => $3, name => $4, email => $5) as user_id
where
  not exists (
    select
    from
      users
    where
      username = $1
  )
