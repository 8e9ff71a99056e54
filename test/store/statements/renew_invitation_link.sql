update sign_up_links
set
  token_sha256 = $1,
  expires_at = now() + make_interval(secs => $3)
where
  folded_name (address) = folded_name ($2)
  and is_invitation
returning
  address
