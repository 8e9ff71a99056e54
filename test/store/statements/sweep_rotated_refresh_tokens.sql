with
  swept as (
    update refresh_tokens
    set
      scopes = '{}',
      successor_salt = null,
      successor_sha256 = null,
      successor_access_sha256 = null
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and rotated_at < now() - interval '1 day'
      and successor_salt is not null
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
