delete from sign_up_links
where
  folded_name (address) = folded_name ($1)
  and is_invitation
returning
  address
