update client_key_sets
set
  next_try_at = now() + make_interval(secs => $3),
  fetching_until = null
where
  client_id = $1
  and uri = $2
