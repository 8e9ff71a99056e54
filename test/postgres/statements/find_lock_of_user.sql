select
  coalesce(max(attempts), 0)::integer as attempts,
  max(blocked_until) filter (
    where
      blocked_until > clock_timestamp()
  ) as until
from
  attempts
where
  user_id = $1
  and forgotten_at > now()
