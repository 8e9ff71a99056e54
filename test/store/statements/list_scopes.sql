select
  name,
  group_name,
  sentence,
  sentences,
  coalesce(changes, name ~ ':write$') as changes,
  acr,
  max_age
from
  scopes
order by
  position
