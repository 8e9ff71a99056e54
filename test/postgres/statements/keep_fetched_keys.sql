update client_key_sets
set
  keys = $3,
  fetched_at = now(),
  next_try_at = now() + interval '30 seconds',
  fetching_until = null
where
  client_id = $1
  and uri = $2
