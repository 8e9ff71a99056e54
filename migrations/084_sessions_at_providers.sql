-- Which sign-ins came from a provider, so that the provider can end them.

-- A sign-in at a provider, as its ID token named it.
create table provider_sessions (
  provider_session_id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  issuer text not null,
  sub text not null,
  -- null: the provider has named no session
  sid text,
  -- when the provider has authenticated the person, by its own clock
  began_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- when the provider has ended it
  ended_at timestamptz
);
create index provider_sessions_by_sub on provider_sessions (issuer, sub) where ended_at is null;
create index provider_sessions_by_sid on provider_sessions (issuer, sid) where sid is not null and ended_at is null;
create index provider_sessions_by_user on provider_sessions (user_id);

-- What a provider has ended lately: a sign-in that is still under way must not begin a session afterwards.
create table ended_at_providers (
  issuer text not null,
  -- null: the sessions of whoever has this sid
  sub text,
  -- null: all sessions of this person
  sid text,
  -- by the clock of the provider
  ended_at timestamptz not null,
  expires_at timestamptz not null
);
create index ended_at_providers_by_sub on ended_at_providers (issuer, sub) where sub is not null;
create index ended_at_providers_by_sid on ended_at_providers (issuer, sid) where sub is null;

alter table providers
  -- whether a logout there ends sessions only, or also what applications got in them
  add column on_logout text not null default 'sessions' constraint providers_on_logout_is_known check (on_logout in ('sessions', 'access'));

alter table authorization_codes
  -- the sign-in at a provider by whose session the code was issued; null: another session
  add column provider_session_id bigint;
