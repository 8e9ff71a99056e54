select
  scopes.name,
  group_name,
  scopes.sentence,
  scopes.sentences,
  coalesce(changes, scopes.name ~ ':write$') as changes,
  scope_groups.sentence as group_sentence,
  scope_groups.sentences as group_sentences
from
  scopes
  left join scope_groups on scope_groups.name = group_name
where
  scopes.name = $1
