select
from
  resources
where
  token_format = 'jwt'
union all
select
from
  clients
where
  jwks is not null
  or jwks_uri is not null
  or profile is not null
limit
  1
