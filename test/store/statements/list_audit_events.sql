select
  audit_events.happened_at,
  audit_events.event,
  audit_events.user_id,
  audit_events.client_id,
  audit_events.code_id,
  audit_events.request_id,
  audit_events.address,
  audit_events.detail,
  clients.name as client_name
from
  audit_events
  left join clients on clients.client_id = audit_events.client_id
order by
  audit_events.happened_at at time zone 'UTC' desc
limit
  $1
