select
  null as origin,
  seed,
  array(
    select
      left_value.key
    from
      jsonb_each(state) left_value
    where
      left_value.value is distinct from seeded_state (kind, row_of_seed (kind, seeded_rows.key)) -> left_value.key
    order by
      left_value.key
  ) as drift
from
  seeded_rows
where
  kind = $1
  and key = $2
