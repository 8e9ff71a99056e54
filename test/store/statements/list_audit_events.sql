select
  audit_trail.happened_at,
  audit_trail.event,
  audit_trail.user_id,
  audit_trail.client_id,
  audit_trail.code_id,
  audit_trail.request_id,
  audit_trail.address,
  audit_trail.detail,
  clients.name as client_name
from
  audit_trail
  left join clients on clients.client_id = audit_trail.client_id
order by
  audit_trail.happened_at at time zone 'UTC' desc
limit
  $1
