select
  name,
  scopes,
  sentence,
  sentences,
  many,
  may_be_all
from
  choices
where
  choices.disabled_at is null
order by
  name
