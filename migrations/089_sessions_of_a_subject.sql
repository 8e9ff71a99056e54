-- Each statement by itself.
-- All sign-ins of a person at a provider, also those that have ended: what applications got in them may last.
drop index concurrently if exists provider_sessions_of_subject;
create index concurrently provider_sessions_of_subject on provider_sessions (issuer, sub);
drop index concurrently if exists provider_sessions_by_sub;
