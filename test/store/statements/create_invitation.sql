insert into
  invitations (token_sha256, uses_left, expires_at)
values
  ($1, $2, now() + make_interval(days => $3))
returning
  invitation_id,
  uses_left,
  created_at,
  expires_at
