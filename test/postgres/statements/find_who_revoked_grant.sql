select
  by_user_id is not null
  or by_system_user is not null as by_operator
from
  audit_events
where
  user_id = $1
  and client_id = $2
  and event = 'consent_revoked'
  and happened_at at time zone 'UTC' >= $3::timestamptz at time zone 'UTC'
  and happened_at at time zone 'UTC' <= ($3::timestamptz + interval '1 minute') at time zone 'UTC'
order by
  happened_at at time zone 'UTC'
limit
  1
