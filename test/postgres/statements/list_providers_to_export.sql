select
  name as key,
  name,
  kind,
  issuer,
  issuers,
  title,
  client_id,
  token_endpoint_auth_method,
  id_token_signed_response_alg,
  scopes,
  people,
  domains,
  endpoint_hosts,
  on_logout,
  global_token_revocation,
  disabled_at is not null as is_disabled
from
  providers
where
  name > $1
  and not exists (
    select
    from
      seeded_rows
    where
      kind = 'provider'
      and key = name
      and pruned_at = providers.disabled_at
  )
order by
  name
limit
  $2
