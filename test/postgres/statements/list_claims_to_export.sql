select
  claims.name as key,
  claims.name,
  claims.scope,
  scopes.sentence,
  claims.query,
  scopes.sentences
from
  claims
  join scopes on scopes.name = claims.scope
where
  claims.name > $1
  and claims.disabled_at is null
order by
  claims.name
limit
  $2
