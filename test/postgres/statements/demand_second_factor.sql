update users
set
  second_factor_demanded_at = now()
where
  user_id = $1
  and (
    second_factor_demanded_at is null
    or second_factor_demanded_at > now()
  )
returning
  user_id
