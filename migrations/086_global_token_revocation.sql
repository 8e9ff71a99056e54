-- Providers that may end all sessions and all access of their people.
alter table providers
  add column global_token_revocation boolean not null default false;

alter table identities
  -- when the provider has ended all of the person, by its own clock: only who was authenticated there later signs in
  add column authenticated_after timestamptz;
