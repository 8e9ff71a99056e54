select
  keep_client ($1, 'command')
where
  not exists (
    select
    from
      clients
    where
      client_id = $1::jsonb ->> 'client_id'
      and deleted_at is null
  )
