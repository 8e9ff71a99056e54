select
  name,
  scopes,
  sentence,
  sentences,
  many,
  may_be_all,
  all_sentence,
  all_sentences
from
  choices
where
  choices.disabled_at is null
order by
  name
