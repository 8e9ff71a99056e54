select
  listed.grant_id,
  listed.user_id,
  users.username,
  listed.scopes,
  listed.duration,
  listed.granted_at,
  listed.last_used_at,
  listed.expires_at
from
  (
    select
      *
    from
      grants
    where
      client_id = $1
      and grants.revoked_at is null
      and - grant_id > coalesce(- $2::bigint, -9223372036854775807)
    order by
      revoked_at,
      - grant_id
    limit
      $3
  ) listed
  join users on users.user_id = listed.user_id
order by
  listed.grant_id desc
