insert into
  sign_up_links (token_sha256, address, is_invitation, expires_at)
select
  $1,
  address,
  true,
  now() + make_interval(secs => $3)
from
  sign_up_links
where
  folded_name (address) = folded_name ($2)
  and is_invitation
order by
  created_at desc
limit
  1
returning
  address
