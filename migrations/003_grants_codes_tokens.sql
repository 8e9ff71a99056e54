-- Grants, authorization codes and tokens. Codes and tokens are stored as SHA-256 digests only. Revocation is a flag on a row
-- above: a token is active while its family and grant are active and its user and client are enabled.

-- What one person allowed one client.
create table grants (
  grant_id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  client_id text not null references clients on delete cascade,
  scopes text[] not null,
  -- optional scopes that the person refused; they are not asked for again
  refused_scopes text[] not null default '{}',
  -- which scopes a consent form showed for which resource: 'user:name' for this server, 'user:name@https://api.example' for another
  decided text[] not null,
  -- earlier scopes that were not on a form with new redirection URIs: the person must confirm them before they count for these
  to_confirm text[] not null default '{}',
  -- as registered when the person decided; if the client registers another one, the person is asked again
  redirect_uris text[] not null,
  -- the person allowed it on a consent page that says so
  gives_username boolean not null default false,
  duration text not null constraint grants_duration check (duration in ('always', '30d', 'once')),
  granted_at timestamptz not null default now(),
  -- by the person, after it was granted
  changed_at timestamptz,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
-- free space in each page for HOT updates, so that writing last_used_at updates no index
) with (fillfactor = 90);
-- one remembered grant for each person and client, beside any number of grants for one time
create unique index grants_one_standing on grants (user_id, client_id) where revoked_at is null and duration <> 'once';
create index grants_by_user on grants (user_id, client_id, revoked_at);
create index grants_by_user_and_age on grants (user_id, revoked_at, granted_at, grant_id);
create index grants_by_client on grants (client_id);

-- An authorization code, and the family of all tokens that came of it: with it, or by refreshing those tokens.
create table authorization_codes (
  code_id bigint generated always as identity primary key,
  code_sha256 bytea not null constraint authorization_codes_unique unique,
  grant_id bigint not null references grants on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  -- whether the authorization request carried it, so that the token request must repeat it [6749 §4.1.3]
  redirect_uri_sent boolean not null,
  code_challenge text,
  -- as in access_tokens, of the authorization request [9449 §10]
  binding text,
  scopes text[] not null,
  -- the scope as the client asked for it, where all of it was granted: some clients accept no other spelling in the answer
  requested_scope text,
  -- issued at the GitHub-compatible endpoint, whose consent page says that the username is part of every answer
  gives_username boolean not null default false,
  -- of the authorization request, 'self' for this server; a token is for one of them
  resources text[] not null default '{self}',
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  -- set at redemption, so that a change of REFRESH_TOKEN_TTL does not affect it; no token of the family expires later
  family_ends_at timestamptz,
  revoked_at timestamptz,
  -- The refresh token of the family, if it has one. A rotation changes this row only. Of the tokens before, nothing but their
  -- number is stored: each says by a tag in its text that this server has issued it.
  refresh_token_sha256 bytea,
  -- how many there were before it
  refresh_generation integer not null default 0,
  refresh_issued_at timestamptz,
  refresh_expires_at timestamptz,
  -- as in access_tokens, of public clients only: a confidential client authenticates at every refresh
  refresh_binding text,
  -- the first generation that is bound so; the ones before are bound to nothing
  refresh_bound_since integer not null default 0,
  -- of the last rotation: with these, only the holder of the old token can obtain the same answer again
  previous_refresh_sha256 bytea,
  successor_salt bytea,
  successor_access_sha256 bytea
-- free space in each page for HOT updates, so that a rotation updates no index
) with (fillfactor = 70);
create index authorization_codes_by_grant on authorization_codes (grant_id);

-- Tokens have no foreign key to their code: the statement that inserts a token has just found the code, the sweep deletes
-- tokens before codes, and a foreign key would need an index on code_id that nothing else uses.

-- An access token.
create table access_tokens (
  access_token_sha256 bytea primary key,
  code_id bigint not null,
  scopes text[] not null,
  resource text not null default 'self',
  -- 'dpop THUMBPRINT', 'certificate THUMBPRINT' or 'mac'; null: whoever holds the token can use it
  binding text,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

-- An authorization request that a client has sent in advance [9126].
create table pushed_requests (
  request_sha256 bytea primary key,
  client_id text not null,
  -- form-encoded, without the client's credentials
  parameters text not null,
  -- by then the browser must have arrived with it
  expires_at timestamptz not null,
  opened_at timestamptz,
  -- when a code was issued for it, or the person refused
  completed_at timestamptz
);
-- they live for minutes, so there are few
create index pushed_requests_by_client on pushed_requests (client_id);

-- A proof or assertion that was used once and is refused a second time, until it has expired.
create table used_proofs (
  proof_sha256 bytea primary key,
  expires_at timestamptz not null
);

-- A consent form that was sent. It counts once, whichever button was pressed first.
create table consent_decisions (
  ticket_sha256 bytea primary key,
  decided_at timestamptz not null default now()
);

-- A form that has created something: it does so once, even if it is sent twice.
create table used_tickets (
  ticket_sha256 bytea primary key,
  used_at timestamptz not null default now()
);

-- What makes a client used by somebody, so that it is not swept although it may have registered itself and asks for nothing.
create view clients_in_use as
  select client_id from grants
  union all
  select client_id from resources where client_id is not null
  union all
  -- somebody may be on the way here with it
  select client_id from pushed_requests
  union all
  -- it asks about tokens of others, or somebody looks after it
  select client_id from clients where resource_server or owner_id is not null;
