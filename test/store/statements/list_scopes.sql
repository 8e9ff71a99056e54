select
  name,
  group_name,
  sentence,
  coalesce(changes, name ~ ':write$') as changes
from
  scopes
order by
  position
