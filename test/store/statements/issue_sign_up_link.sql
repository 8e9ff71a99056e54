with
  ended as (
    delete from sign_up_links
    where
      $6
      and folded_name (address) = folded_name ($2)
      and is_invitation = $3
  )
insert into
  sign_up_links (token_sha256, address, is_invitation, detail, expires_at)
values
  ($1, $2, $3, $4, now() + make_interval(secs => $5))
