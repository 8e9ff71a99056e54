delete from invitations
where
  token_sha256 = $1
returning
  invitation_id
