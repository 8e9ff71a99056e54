select
  name as key,
  name,
  scopes,
  sentence,
  query,
  sentences,
  many,
  may_be_all,
  all_sentence,
  all_sentences
from
  choices
where
  name > $1
  and choices.disabled_at is null
order by
  name
limit
  $2
