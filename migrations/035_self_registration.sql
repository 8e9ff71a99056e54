-- Clients that register themselves [7591], and the tokens with which they do it.

alter table clients
  -- as it was registered; null: any method that fits its type
  add column token_endpoint_auth_method text;

-- A host can have many clients that nobody vouches for.
drop index clients_by_site_domain;
create index clients_by_site_domain on clients (site_domain, vouched);
create index clients_disabled_by_site on clients (site_domain)
  where disabled_at is not null and deleted_at is null and not disabled_by_owner;

create table self_registrations (
  client_id text primary key references clients on delete cascade,
  -- of the registration access token [7592 §1]; null after somebody has reported it as leaked
  token_sha256 bytea constraint self_registrations_token_unique unique
);

-- Initial access tokens [7591 §1.2].
create table invitations (
  invitation_id integer generated always as identity primary key,
  token_sha256 bytea not null constraint invitations_token_unique unique,
  uses_left integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Not valid: what was stored before has been checked for the prefixes of its time, and need not be read again.
alter table audit_events
  drop constraint audit_events_hold_no_secret,
  add constraint audit_events_hold_no_secret check (detail !~ 'lk_[a-z]{2}_') not valid;
