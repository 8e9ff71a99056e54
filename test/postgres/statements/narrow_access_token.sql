update access_tokens
set
  scopes = array(
    select
      scope
    from
      unnest(scopes) scope
    where
      scope = any ($2)
  )
where
  access_token_sha256 = $1
  and scopes && $2
returning
  scopes
