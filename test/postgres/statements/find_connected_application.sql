select
  clients.client_id,
  clients.name,
  clients.site_domain,
  clients.homepage_uri,
  clients.policy_uri,
  clients.tos_uri,
  clients.created_at,
  clients.vouched,
  clients.required_scopes,
  clients.scope_reasons,
  listed.scopes,
  listed.refused_scopes,
  listed.gives_username,
  listed.decided,
  listed.choices,
  listed.grant_id || '.' || extract(
    epoch
    from
      greatest(listed.granted_at, listed.changed_at)
  ) as version,
  listed.silent,
  listed.duration,
  listed.granted_at,
  listed.expires_at,
  listed.last_used_at
from
  grants listed
  join clients on clients.client_id = listed.client_id
where
  listed.user_id = $1
  and listed.client_id = $2
  and listed.revoked_at is null
  and (
    listed.expires_at is null
    or listed.expires_at > now()
  )
  and clients.deleted_at is null
order by
  listed.duration = 'once',
  listed.grant_id desc
limit
  1
