select
  clients.origin,
  seeded_rows.seed,
  array(
    select
      left_value.key
    from
      jsonb_each(seeded_rows.state) left_value
    where
      left_value.value is distinct from seeded_state ('client', to_jsonb(clients)) -> left_value.key
    order by
      left_value.key
  ) as drift
from
  clients
  left join seeded_rows on seeded_rows.client_id = clients.client_id
where
  clients.client_id = $1
  and deleted_at is null
