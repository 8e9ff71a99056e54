delete from invitations
where
  invitation_id = $1
returning
  invitation_id
