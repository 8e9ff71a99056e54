-- Users, clients and the catalogue of scopes.

create extension if not exists pgcrypto;

create table users (
  user_id integer generated always as identity primary key,
  username text not null constraint users_username_unique unique,
  password_bcrypt text not null constraint users_password_is_bcrypt check (password_bcrypt ~ '^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$'),
  -- of the last registration: if a seed runs again with it, a password that the user changed meanwhile stays
  registered_password_bcrypt text,
  email text,
  -- set by an operator only, never for an address that the user entered
  email_verified boolean not null default false,
  name text,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table scopes (
  name text primary key constraint scopes_name_is_a_scope_token check (name ~ '^[a-z][a-z0-9:_.-]{0,63}$'),
  group_name text not null constraint scopes_group_is_a_scope_token check (group_name ~ '^[a-z][a-z0-9:_.-]{0,63}$'),
  sentence text not null,
  position integer generated always as identity
);

insert into scopes (name, group_name, sentence) values
  ('user:name', 'user', 'See your name and username'),
  ('user:email', 'user', 'See your e-mail address'),
  ('user:write', 'user:write', 'Change your name and e-mail address'),
  ('repo:read', 'repo', 'Read your repositories'),
  ('repo:write', 'repo', 'Change your repositories');

create table clients (
  client_id text primary key constraint clients_id_is_printable check (client_id ~ '^[\x21-\x7e]{1,200}$'),
  -- a user_id is a number, so a numeric client_id could be mistaken for a user [9700 §4.15]
  constraint clients_id_is_no_number check (client_id !~ '^\d+$'),
  name text not null,
  site_domain text not null,
  homepage_uri text,
  logo_uri text,
  redirect_uris text[] not null,
  scopes text[] not null,
  required_scopes text[] not null,
  grant_types text[] not null,
  -- newest first; at most two, so that a secret can be replaced without an outage; a public client has none
  secrets_sha256 bytea[] not null constraint clients_two_secrets check (cardinality(secrets_sha256) <= 2),
  secrets_since timestamptz[] not null,
  -- of the last registration: if a seed runs again with the same secret, secrets that were rotated meanwhile stay
  registered_secret_sha256 bytea,
  constraint clients_secrets_have_dates check (cardinality(secrets_since) = cardinality(secrets_sha256)),
  resource_server boolean not null default false,
  -- by scope: why the client needs it or what does not work without it, for instance {"user:email": "to send the receipt"}
  scope_reasons jsonb not null default '{}',
  owner_id integer references users on delete set null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table settings (
  name text primary key,
  value text not null
);
