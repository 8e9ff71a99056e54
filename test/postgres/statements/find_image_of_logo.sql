select
  image
from
  client_logos
  join clients on clients.client_id = client_logos.client_id
  and clients.logo_uri = client_logos.uri
  and clients.vouched
  and clients.logo_uri is not null
  and clients.origin in ('application', 'document')
  and clients.disabled_at is null
where
  digest = $1
limit
  1
