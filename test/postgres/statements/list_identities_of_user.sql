select
  issuer,
  subject,
  label,
  linked_at,
  last_used_at,
  (
    select
      title
    from
      providers
    where
      identities.issuer = any (providers.issuers)
    limit
      1
  ) as title
from
  identities
where
  user_id = $1
order by
  linked_at,
  issuer,
  subject
limit
  20
