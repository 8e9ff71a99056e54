select
  site_domain,
  banned_at,
  request_id,
  coalesce(users.username, by_system_user, by_user_id::text) as banned_by
from
  banned_sites
  -- the event has the time of its change; the first comparison chooses the partition, the second reads the index
  left join audit_events on happened_at = banned_at
  and happened_at at time zone 'UTC' = banned_at at time zone 'UTC'
  and event = 'site_banned'
  and detail = site_domain
  left join users on users.user_id = by_user_id
where
  site_domain = any ($1)
order by
  length(site_domain) desc
