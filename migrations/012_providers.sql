-- Other servers at which people can sign in, and who they are there.

-- A server that says who somebody is: an OpenID provider, or GitHub.
create table providers (
  -- part of its return address
  name text primary key,
  kind text not null constraint providers_kind_is_known check (kind in ('openid', 'entra', 'github')),
  issuer text not null constraint providers_issuer_unique unique,
  -- whom its ID tokens may name as their issuer: one for each tenant, where tenants share an issuer
  issuers text[] not null,
  title text not null,
  client_id text not null,
  -- as it was registered, until an instance of this server encrypts it, which SQL cannot do
  client_secret text,
  -- encrypted with a key that is derived from SESSION_SECRET
  sealed_client_secret bytea,
  token_endpoint_auth_method text not null,
  -- the one algorithm of its ID tokens
  id_token_signed_response_alg text not null,
  scopes text[] not null,
  -- whether an unknown person gets an account, or only those enter whose identity is linked
  people text not null constraint providers_people_is_known check (people in ('registered', 'created')),
  -- of the verified address of a person who gets an account; empty: any
  domains text[] not null,
  -- where the client secret may be sent; null: where the first discovery says
  endpoint_hosts text[],
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

-- What a provider has published, for all instances: its metadata and its keys.
create table provider_documents (
  name text not null references providers on delete cascade,
  kind text not null constraint provider_documents_kind_is_known check (kind in ('metadata', 'keys')),
  -- where it is published; what was fetched from another address does not count
  uri text not null,
  content jsonb,
  fetched_at timestamptz,
  -- no fetch before: the pause after the last one
  next_try_at timestamptz not null,
  fetching_until timestamptz,
  primary key (name, kind)
);

-- Who somebody is at a provider. By the issuer, never by the name of the provider, which may be given to another one.
create table identities (
  issuer text not null,
  subject text not null,
  user_id integer not null references users on delete cascade,
  -- what the provider calls the person: shown to that person only
  label text,
  linked_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (issuer, subject)
);
create index identities_by_user on identities (user_id, linked_at);
