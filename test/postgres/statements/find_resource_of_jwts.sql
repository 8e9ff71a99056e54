select
from
  resources
where
  token_format = 'jwt'
limit
  1
