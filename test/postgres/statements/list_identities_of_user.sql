select
  issuer,
  subject,
  label,
  linked_at,
  last_used_at,
  provider.title,
  coalesce(provider.is_enabled, false) as works
from
  identities
  left join lateral (
    select
      title,
      providers.disabled_at is null as is_enabled
    from
      providers
    where
      identities.issuer = any (providers.issuers)
    order by
      is_enabled desc
    limit
      1
  ) provider on true
where
  user_id = $1
order by
  linked_at,
  issuer,
  subject
limit
  20
