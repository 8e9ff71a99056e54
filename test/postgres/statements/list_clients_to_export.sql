select
  client_id as key,
  to_jsonb(clients) || jsonb_build_object(
    'owner',
    users.username,
    'token_type',
    case token_binding
      when 'mac' then 'mac'
      else 'bearer'
    end,
    'dpop_bound_access_tokens',
    token_binding = 'dpop',
    'tls_client_certificate_bound_access_tokens',
    token_binding = 'certificate'
  ) as columns,
  clients.disabled_at is not null as is_disabled
from
  clients
  left join users on users.user_id = clients.owner_id
  and users.source = 'here'
  and not exists (
    select
    from
      seeded_rows
    where
      kind = 'user'
      and key = users.user_id::text
      and pruned_at = users.disabled_at
  )
where
  client_id > $1
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
order by
  client_id
limit
  $2
