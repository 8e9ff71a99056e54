select
  sid_sha256,
  user_agent,
  data ->> 'address' as address,
  sessions.created_at,
  last_used_at
from
  sessions
  join users using (user_id)
where
  user_id = $1
  and coalesce(sessions.begun_after = coalesce(users.sessions_ended_at, '-infinity'), true)
  and sessions.last_used_at > now() - interval '30 minutes'
  and sessions.created_at > now() - interval '12 hours'
  and sessions.created_at < now() + interval '1 day'
order by
  last_used_at desc
limit
  100
