-- It is not declared, and so no change since the last run of a seed.
update seeded_rows
set state = state - 'tokens_not_before'
where kind = 'client'
  and state ? 'tokens_not_before';
