select
where
  exists (
    select
    from
      own_decisions
    where
      user_id = $1
      and client_id = $2
  )
  or exists (
    select
    from
      grants
    where
      user_id = $1
      and client_id = $2
  )
