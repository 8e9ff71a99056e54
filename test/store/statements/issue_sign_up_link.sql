insert into
  sign_up_links as links (token_sha256, address, is_invitation, detail, expires_at)
values
  ($1, $2, $3, $4, now() + make_interval(secs => $5))
on conflict (folded_name (address), is_invitation) do update
set
  token_sha256 = excluded.token_sha256,
  address = excluded.address,
  detail = excluded.detail,
  created_at = excluded.created_at,
  expires_at = excluded.expires_at
