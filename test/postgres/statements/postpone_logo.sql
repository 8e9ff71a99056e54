update client_logos
set
  next_try_at = clock_timestamp() + interval '86400 seconds'
where
  client_id = $1
  and uri = $2
