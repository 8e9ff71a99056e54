-- Authorization requests that clients have sent in advance [9126].
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
