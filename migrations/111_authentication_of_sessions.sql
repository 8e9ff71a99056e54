-- When and how the person of a session proved who they are: a new session id, as after a change of the password, is no new proof.

alter table sessions
  add column auth_time timestamptz not null default now(),
  add column methods text[] not null default '{password}';

-- until now a session began with the password
update sessions
set auth_time = created_at;
