update provider_documents
set
  content = $4,
  fetched_at = now(),
  next_try_at = now() + interval '30 seconds',
  fetching_until = null
where
  name = $1
  and kind = $2
  and uri = $3
