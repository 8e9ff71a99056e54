select
  resource as key,
  resource,
  scopes,
  client_id,
  token_format
from
  resources
where
  resource > $1
  and resources.disabled_at is null
  and (
    client_id is null
    or exists (
      select
      from
        clients
      where
        clients.client_id = resources.client_id
        and clients.deleted_at is null
        and not clients.is_demo
        and clients.only_for is null
        and (
          clients.vouched
          or banned_site_of (clients.site_domain) is null
        )
        and not exists (
          select
          from
            self_registrations self
          where
            self.client_id = clients.client_id
        )
        and not exists (
          select
          from
            client_documents document
          where
            document.client_id = clients.client_id
        )
        and not exists (
          select
          from
            seeded_rows
          where
            kind = 'client'
            and key = clients.client_id
            and pruned_at = clients.disabled_at
        )
    )
  )
order by
  resource
limit
  $2
