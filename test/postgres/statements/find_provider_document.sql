select
  content,
  extract(
    epoch
    from
      clock_timestamp() - fetched_at
  )::double precision as age,
  coalesce(fetching_until > now(), false) as is_being_fetched,
  extract(
    epoch
    from
      next_try_at - clock_timestamp()
  )::double precision as next_fetch_in
from
  provider_documents
where
  name = $1
  and kind = $2
  and uri = $3
