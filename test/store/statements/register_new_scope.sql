select
  register_scope (name => $1, sentence => $2, group_name => $3, changes => $4)
where
  not exists (
    select
    from
      scopes
    where
      name = $1
  )
