insert into
  provider_documents (name, kind, uri, next_try_at, fetching_until)
select
  name,
  $2,
  $3,
  now(),
  now() + interval '10 seconds'
from
  providers
where
  name = $1
on conflict (name, kind) do update
set
  uri = excluded.uri,
  content = case
    when provider_documents.uri = excluded.uri then provider_documents.content
  end,
  fetched_at = case
    when provider_documents.uri = excluded.uri then provider_documents.fetched_at
  end,
  next_try_at = excluded.next_try_at,
  fetching_until = excluded.fetching_until
where
  provider_documents.uri <> excluded.uri
  or (
    provider_documents.next_try_at is null
    or provider_documents.next_try_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => 30)
  )
  and (
    provider_documents.fetching_until is null
    or provider_documents.fetching_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => 10)
  )
returning
  name
