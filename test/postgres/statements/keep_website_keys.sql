update website_key_sets
set
  keys = $2,
  fetched_at = now()
where
  uri = $1
