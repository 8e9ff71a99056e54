select
  name,
  group_name,
  sentence,
  sentences,
  coalesce(changes, name ~ ':write$') as changes
from
  scopes
order by
  position
