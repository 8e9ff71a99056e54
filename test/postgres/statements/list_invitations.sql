select
  invitation_id,
  uses_left,
  created_at,
  expires_at
from
  invitations
order by
  invitation_id
