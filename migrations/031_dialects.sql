alter table grants
  -- the person allowed it on a consent page that says so
  add gives_username boolean not null default false;
alter table authorization_codes
  -- the scope as the client asked for it, where all of it was granted: some clients accept no other spelling in the answer
  add requested_scope text,
  -- issued at the GitHub-compatible endpoint, whose consent page says that the username is part of every answer
  add gives_username boolean not null default false;
