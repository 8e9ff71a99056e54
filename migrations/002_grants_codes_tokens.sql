-- Grants, authorization codes and tokens. Codes and tokens are stored as SHA-256 digests only. Revocation is a flag on a row
-- above: a token is active while its family and grant are active and its user and client are enabled.

create table grants (
  grant_id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  client_id text not null references clients on delete cascade,
  scopes text[] not null,
  -- optional scopes that the user refused; they are not asked for again
  refused_scopes text[] not null default '{}',
  -- as registered when the user decided; if the client registers another one, the user is asked again
  redirect_uris text[] not null,
  duration text not null constraint grants_duration check (duration in ('always', '30d', 'once')),
  granted_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
-- one remembered grant for each user and client, beside any number of grants for one time
create unique index grants_one_standing on grants (user_id, client_id) where revoked_at is null and duration <> 'once';
create index grants_by_user on grants (user_id);
create index grants_by_client on grants (client_id);

-- A code is also the head of a family: every token issued with it, or by refreshing those tokens, refers to it.
create table authorization_codes (
  code_id bigint generated always as identity primary key,
  code_sha256 bytea not null constraint authorization_codes_unique unique,
  grant_id bigint not null references grants on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  -- whether the authorization request carried it, so that the token request must repeat it [6749 §4.1.3]
  redirect_uri_sent boolean not null,
  code_challenge text,
  scopes text[] not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 80);
create index authorization_codes_by_grant on authorization_codes (grant_id);

-- Tokens have no foreign key to their code: the statement that inserts a token has just found the code, the sweep deletes
-- tokens before codes, and a foreign key would need an index on code_id that nothing else uses.
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
  -- set by the rotation: with these, only the holder of the old token can obtain the same response again
  rotated_at timestamptz,
  successor_salt bytea,
  successor_sha256 bytea,
  successor_access_sha256 bytea
) with (fillfactor = 80);
