-- Scopes, clients and the resources of other servers.

-- A permission for which clients can ask.
create table scopes (
  name text primary key constraint scopes_name_is_a_scope_token check (name ~ '^[a-z][a-z0-9:_.-]{0,63}$'),
  group_name text not null constraint scopes_group_is_a_scope_token check (group_name ~ '^[a-z][a-z0-9:_.-]{0,63}$'),
  sentence text not null,
  position integer generated always as identity,
  -- whether it allows changes; null means that it does if its name ends in ":write"
  changes boolean
);

insert into scopes (name, group_name, sentence) values
  ('user:name', 'user', 'See your name and username'),
  ('user:email', 'user', 'See your e-mail address'),
  ('user:write', 'user:write', 'Change your name and e-mail address'),
  ('repo:read', 'repo', 'Read your repositories'),
  ('repo:write', 'repo', 'Change your repositories');

-- An application that is registered here.
create table clients (
  client_id text primary key constraint clients_id_is_printable check (client_id ~ '^[\x21-\x7e]{1,200}$'),
  -- a user_id is a number, so a numeric client_id could be mistaken for a user [9700 §4.15]
  constraint clients_id_is_no_number check (client_id !~ '^\d+$'),
  name text not null,
  site_domain text not null,
  homepage_uri text,
  logo_uri text,
  policy_uri text,
  tos_uri text,
  redirect_uris text[] not null,
  scopes text[] not null,
  required_scopes text[] not null,
  -- by scope: why the client needs it or what does not work without it, for instance {"user:email": "to send the receipt"}
  scope_reasons jsonb not null default '{}',
  grant_types text[] not null,
  resource_server boolean not null default false,

  -- as it was registered; null: any method that fits its type
  token_endpoint_auth_method text,
  -- newest first; at most two, so that a secret can be replaced without an outage; a public client has none
  secrets_sha256 bytea[] not null constraint clients_two_secrets check (cardinality(secrets_sha256) <= 2),
  secrets_since timestamptz[] not null,
  -- of the last registration: if a seed runs again with the same secret, secrets that were rotated meanwhile stay
  registered_secret_sha256 bytea,
  constraint clients_secrets_have_dates check (cardinality(secrets_since) = cardinality(secrets_sha256)),
  -- public keys [7517]: in the registration, or where the client publishes them
  jwks jsonb,
  jwks_uri text,
  -- the name in the client certificate [8705 §2.1.2]
  tls_client_auth_subject_dn text,
  tls_client_auth_san_dns text,
  -- otherwise the secret would still authenticate a client that proves a key
  constraint clients_prove_key_or_secret check (
    secrets_sha256 = '{}' or coalesce(token_endpoint_auth_method, 'client_secret_basic') ~ '^client_secret_'),
  -- after a restore nobody knows which assertions were used since the backup: those that were made before this time are refused
  assertions_not_before timestamptz,

  -- the rules of a profile hold in addition; null: none
  profile text constraint clients_profile check (profile in ('fapi2')),
  -- what access tokens are bound to; 'any': to a DPoP key if the client proves one
  token_binding text not null default 'any'
    constraint clients_token_binding check (token_binding in ('any', 'dpop', 'certificate', 'mac')),
  require_pushed_authorization_requests boolean not null default false,
  require_signed_request_object boolean not null default false,
  -- the only one that its requests may have [9101 §10.5]
  request_object_signing_alg text
    constraint clients_request_object_signing_alg check (request_object_signing_alg in ('ES256', 'PS256', 'EdDSA', 'Ed25519')),

  -- who may change it in the developer console
  owner_id integer references users on delete set null,
  -- whether an administrator vouches for it; true for clients registered by SQL or a command
  vouched boolean not null default true,
  -- see users.is_demo
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- when somebody else than an administrator last gave it another name
  renamed_at timestamptz,
  disabled_at timestamptz,
  -- otherwise an operator has disabled it, and the owner cannot enable it
  disabled_by_owner boolean not null default false,
  -- from then on it is refused and not listed; the sweep deletes its grants a few at a time
  deleted_at timestamptz,
  constraint clients_deleted_are_over check (deleted_at is null or disabled_at is not null and owner_id is null)
) with (fillfactor = 90);
create index clients_by_owner on clients (owner_id, created_at, client_id) where owner_id is not null;
-- by an expression, so that the planner cannot choose this index for the list of one owner, where its statistics say that one
-- user owns all clients
create index clients_by_age on clients ((created_at at time zone 'UTC'), client_id);
-- including disabled clients: the planner could choose a partial index for a full scan in other statements
create index clients_by_site_domain on clients (site_domain, vouched);
create index clients_disabled_by_site on clients (site_domain)
  where disabled_at is not null and deleted_at is null and not disabled_by_owner;
create index clients_deleted on clients (client_id) where deleted_at is not null;
-- clients that prove a key may ask for signed answers: as long as there is one, /jwks is not empty
create index clients_with_keys on clients (client_id)
  where jwks is not null or jwks_uri is not null or profile is not null;
-- the metadata say that authorization requests must be pushed, if no client may send them otherwise
create index clients_without_pushing on clients (client_id)
  where not require_pushed_authorization_requests and not require_signed_request_object;

-- A client that registered itself [7591].
create table self_registrations (
  client_id text primary key references clients on delete cascade,
  -- of the registration access token [7592 §1]; null after somebody has reported it as leaked
  token_sha256 bytea constraint self_registrations_token_unique unique
);

-- An initial access token, with which clients register themselves [7591 §1.2].
create table invitations (
  invitation_id integer generated always as identity primary key,
  token_sha256 bytea not null constraint invitations_token_unique unique,
  uses_left integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- A client whose client_id is the URL of its metadata document.
create table client_documents (
  client_id text primary key references clients on delete cascade,
  fetched_at timestamptz not null default now(),
  -- until then the document is not fetched again
  fresh_until timestamptz not null
);
create index client_documents_by_age on client_documents (fetched_at);

-- The public keys that a client publishes at its jwks_uri, as they were fetched last: for all instances, and after a restart.
create table client_key_sets (
  client_id text primary key references clients on delete cascade,
  -- a client with another jwks_uri has no keys here
  uri text not null,
  -- null: no set was fetched yet
  keys jsonb constraint client_key_sets_size check (length(keys::text) <= 100000),
  fetched_at timestamptz,
  -- a pause follows each fetch, also one that failed
  next_try_at timestamptz not null,
  -- one instance is fetching them
  fetching_until timestamptz
);

-- A resource of another server, for which clients can request tokens [8707].
create table resources (
  -- as requests must spell it, and as `aud` names it
  resource text primary key constraint resources_are_uris check (resource ~ '^https?://'),
  scopes text[] not null,
  -- the client of the resource's own server, which may introspect the tokens for it
  client_id text references clients on delete set null,
  token_format text not null constraint resources_token_format check (token_format in ('opaque', 'jwt'))
);
-- also for `on delete set null`
create index resources_by_client on resources (client_id);
-- every few seconds each process asks whether there is a resource whose tokens are signed
create index resources_by_format on resources (token_format);

-- A recent refusal of a client, for its owner. Unlogged, because the log of the operator has the same information.
create unlogged table refusals (
  client_id text not null references clients on delete cascade,
  refusal_id bigint generated always as identity,
  happened_at timestamptz not null default now(),
  request_id text not null,
  -- method and path
  request text not null,
  error text not null,
  reason text not null,
  -- the refused one, if it was the reason
  redirect_uri text,
  primary key (client_id, refusal_id),
  -- no version of this program can store a secret here by mistake
  constraint refusals_hold_no_secret check (concat_ws(' ', request, reason, redirect_uri) !~* 'lk_(at|rt|ac|cs)_')
);
