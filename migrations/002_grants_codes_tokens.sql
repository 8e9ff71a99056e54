-- What people agreed to, and the credentials that follow from it. Secrets are kept as SHA-256 digests only.
-- Revocation is a flag on the row that stands above: a token is alive while its family, grant, person and client are.

create table grants (
  grant_id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  client_id text not null references clients on delete cascade,
  scopes text[] not null,
  -- optional permissions that were offered and refused: not asked for again until the person changes them
  refused_scopes text[] not null default '{}',
  -- the registration the person saw: when it changes they are asked again
  redirect_uris text[] not null,
  duration text not null constraint grants_duration check (duration in ('always', '30d', 'once')),
  granted_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
-- one standing grant for each person and client; those for once stand beside it, each for itself
create unique index grants_one_standing on grants (user_id, client_id) where revoked_at is null and duration <> 'once';
create index grants_by_user on grants (user_id);
create index grants_by_client on grants (client_id);

-- A code is also the head of a family: every token made with it, or by refreshing those, points here.
create table authorization_codes (
  code_id bigint generated always as identity primary key,
  code_sha256 bytea not null constraint authorization_codes_unique unique,
  grant_id bigint not null references grants on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  -- whether the authorization request carried it: then the token request must, too [6749 §4.1.3]
  redirect_uri_sent boolean not null,
  code_challenge text,
  scopes text[] not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 80);
create index authorization_codes_by_grant on authorization_codes (grant_id);

-- No foreign key from tokens to their code: a token is written by the very statement that found the code, the sweep
-- deletes tokens before codes, and the check would cost every exchange an index on code_id that nothing else reads.
create table access_tokens (
  access_token_sha256 bytea primary key,
  code_id bigint not null,
  scopes text[] not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create table refresh_tokens (
  refresh_token_sha256 bytea primary key,
  code_id bigint not null,
  scopes text[] not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- at rotation: what is needed to give who holds the old token the same answer again, readable for nobody else
  rotated_at timestamptz,
  successor_salt bytea,
  successor_sha256 bytea,
  successor_access_sha256 bytea
) with (fillfactor = 80);
