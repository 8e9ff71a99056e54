-- Whether an OpenID provider may end all sessions and all access of its people.
alter table providers
  add column global_token_revocation boolean not null default false;
update providers set global_token_revocation = true where kind = 'openid';

alter table identities
  -- when the provider has ended all of the person, by its own clock: only who was authenticated there later signs in
  add column authenticated_after timestamptz;
