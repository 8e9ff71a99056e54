-- Indexes for the statements of every sign-in and of every cross-origin request.

-- empty, unless hashes of a higher cost than ours were registered before these were refused
create index users_with_dear_password on users ((substr(password_bcrypt, 5, 2)::integer))
  where disabled_at is null and substr(password_bcrypt, 5, 2)::integer > 12;

-- including disabled clients: the planner could choose a partial index for a full scan in other statements
create index clients_by_site_domain on clients (site_domain);
