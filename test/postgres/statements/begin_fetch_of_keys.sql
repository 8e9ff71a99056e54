insert into
  client_key_sets (client_id, uri, next_try_at, fetching_until)
select
  client_id,
  jwks_uri,
  now(),
  now() + interval '20 seconds'
from
  clients
where
  client_id = $1
  and jwks_uri = $2
on conflict (client_id) do update
set
  uri = excluded.uri,
  keys = case
    when client_key_sets.uri = excluded.uri then client_key_sets.keys
  end,
  fetched_at = case
    when client_key_sets.uri = excluded.uri then client_key_sets.fetched_at
  end,
  next_try_at = excluded.next_try_at,
  fetching_until = excluded.fetching_until
where
  client_key_sets.uri <> excluded.uri
  or (
    client_key_sets.next_try_at is null
    or client_key_sets.next_try_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => 30)
  )
  and (
    client_key_sets.fetching_until is null
    or client_key_sets.fetching_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => 20)
  )
returning
  client_id
