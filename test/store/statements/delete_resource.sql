delete from resources
where
  resource = $1
  and (
    $2::jsonb is null
    or jsonb_build_object('scopes', scopes, 'client_id', client_id, 'token_format', token_format) = $2
  )
returning
  resource
