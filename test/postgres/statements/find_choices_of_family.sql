select
  grants.grant_id,
  coalesce(users.subject, users.user_id::text) as sub,
  code.choices as given,
  grants.choices as granted,
  clients.authorization_details_types as may_name
from
  authorization_codes code
  join grants on grants.grant_id = code.grant_id
  join clients on clients.client_id = grants.client_id
  join users on users.user_id = grants.user_id
where
  code.code_id = $1
