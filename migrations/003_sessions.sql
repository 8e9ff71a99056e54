-- Sessions of signed-in browsers, and consent forms that were sent.

create table sessions (
  sid_sha256 bytea primary key,
  user_id integer references users on delete cascade,
  data jsonb not null,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id);

-- A consent form can be sent once, whichever button was pressed first.
create table consent_decisions (
  ticket_sha256 bytea primary key,
  decided_at timestamptz not null default now()
);
