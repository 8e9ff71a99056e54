select
  name as key,
  name,
  sentence,
  sentences
from
  scope_groups
where
  name > $1
  -- those of scopes that went into another group have none
  and exists (
    select
    from
      scopes
    where
      group_name = scope_groups.name
  )
order by
  name
limit
  $2
