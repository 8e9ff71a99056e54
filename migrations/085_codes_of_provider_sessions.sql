-- Each statement by itself.
-- The codes and families of a sign-in at a provider, which few have.
drop index concurrently if exists authorization_codes_by_provider_session;
create index concurrently authorization_codes_by_provider_session on authorization_codes (provider_session_id) where provider_session_id is not null;
