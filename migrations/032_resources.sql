-- Resources of other servers, for which clients can request tokens [8707].

create table resources (
  -- as requests must spell it, and as `aud` names it
  resource text primary key constraint resources_are_uris check (resource ~ '^https?://'),
  scopes text[] not null,
  -- the client of the resource's own server, which may introspect the tokens for it
  client_id text references clients on delete set null,
  token_format text not null constraint resources_token_format check (token_format in ('opaque', 'jwt'))
);

-- In these columns 'self' stands for this server.
alter table authorization_codes
  -- of the authorization request; a token is for one of them
  add column resources text[] not null default '{self}';
alter table access_tokens
  add column resource text not null default 'self';
alter table grants
  -- which scopes a consent form showed for which resource: 'user:name' for this server, 'user:name@https://api.example' for
  -- another; null for all scopes of the grant at this server
  add column decided text[];
