select
  register_resource (resource => $1, scopes => $2, client_id => $3, token_format => $4) as resource
where
  not exists (
    select
    from
      resources
    where
      resource = any ($5)
  )
