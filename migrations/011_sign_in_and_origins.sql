-- What every sign-in, and every request of a page from elsewhere, asks must not cost a look at every row.

-- empty, unless hashes were registered before those dearer than ours were refused
create index users_with_dear_password on users ((substr(password_bcrypt, 5, 2)::integer))
  where disabled_at is null and substr(password_bcrypt, 5, 2)::integer > 12;

-- of disabled ones, too: an index without them would invite other statements to go through it as a whole
create index clients_by_site_domain on clients (site_domain);
