insert into
  sign_up_links (token_sha256, address, is_invitation, detail, expires_at)
values
  ($1, $2, false, $3, now() + make_interval(secs => $4))
