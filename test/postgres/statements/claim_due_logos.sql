insert into
  client_logos (client_id, uri, next_try_at)
select
  clients.client_id,
  clients.logo_uri,
  clock_timestamp() + interval '20 seconds'
from
  clients
  left join client_logos on client_logos.client_id = clients.client_id
where
  clients.vouched
  and clients.logo_uri is not null
  and clients.origin in ('application', 'document')
  and clients.disabled_at is null
  and (
    $2
    or clients.origin <> 'document'
  )
  and (
    client_logos.uri is distinct from clients.logo_uri
    or client_logos.image is null
    and (
      client_logos.next_try_at is null
      or client_logos.next_try_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => 86400)
    )
  )
order by
  clients.client_id
limit
  $1
on conflict (client_id) do update
set
  uri = excluded.uri,
  image = null,
  next_try_at = excluded.next_try_at
where
  client_logos.uri <> excluded.uri
  or client_logos.image is null
  and (
    client_logos.next_try_at is null
    or client_logos.next_try_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => 86400)
  )
returning
  client_id,
  uri
