select
  grants.grant_id,
  coalesce(users.subject, users.user_id::text) as sub,
  code.choices as given,
  grants.choices as granted
from
  authorization_codes code
  join grants on grants.grant_id = code.grant_id
  join users on users.user_id = grants.user_id
where
  code.code_id = $1
