select
  position,
  case
    when clients.client_id is not null then json_build_object('name', clients.name, 'site_domain', clients.site_domain, 'vouched', clients.vouched)
  end as client,
  array(
    select
      json_build_object('name', name, 'title', title, 'is_unsealed', client_secret is not null)
    from
      providers
    where
      providers.disabled_at is null
    order by
      created_at,
      name
    limit
      20
  ) as providers
from
  (
    select
      client_id,
      position
    from
      unnest($1::text[]) with ordinality parameters (client_id, position)
    where
      position between 1 and 500
  ) requests
  left join clients on clients.client_id = requests.client_id
  and clients.deleted_at is null
