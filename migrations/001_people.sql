-- People, their sessions, and how often somebody was wrong.

create extension if not exists pgcrypto;

-- A person who can sign in. Of a deleted one only the number stays, until the sweep deletes the row: codes and consents that are
-- sent at the same moment still find it, and it is disabled.
create table users (
  user_id integer generated always as identity primary key,
  username text constraint users_username_unique unique,
  password_bcrypt text constraint users_password_is_bcrypt check (password_bcrypt ~ '^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$'),
  -- of the last registration: if a seed runs again with it, a password that the person changed meanwhile stays
  registered_password_bcrypt text,
  email text,
  -- set by an operator only, never for an address that the person entered
  email_verified boolean not null default false,
  name text,
  is_admin boolean not null default false,
  -- registered by the demo: a start without the demo disables it, and no other account of that name
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  deleted_at timestamptz,
  constraint users_deleted_are_empty check (case
    when deleted_at is null then username is not null and password_bcrypt is not null
    else disabled_at is not null and not is_admin
      and num_nonnulls(username, password_bcrypt, registered_password_bcrypt, email, name) = 0 end)
);
-- the last administrator cannot be deleted
create index users_administrators on users (user_id) where is_admin;
-- applications that they registered at the moment of their deletion are disabled by the sweep
create index users_deleted on users (user_id) where deleted_at is not null;
-- empty, unless somebody stores a hash of a higher cost than ours with SQL of their own: registration refuses it
create index users_with_dear_password on users ((substr(password_bcrypt, 5, 2)::integer))
  where disabled_at is null and substr(password_bcrypt, 5, 2)::integer > 12;

-- A browser in which somebody is signed in.
create table sessions (
  sid_sha256 bytea primary key,
  user_id integer not null references users on delete cascade,
  data jsonb not null,
  user_agent text,
  -- when and how the person proved who they are; a new session id, as after a change of the password, is no new proof
  auth_time timestamptz not null default now(),
  methods text[] not null default '{password}',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id, last_used_at);

-- How often somebody tried something that is limited, such as a password. In the database, so that instances share it; unlogged,
-- because it may be lost in a crash.
create unlogged table attempts (
  key text primary key,
  attempts integer not null,
  blocked_until timestamptz not null,
  forgotten_at timestamptz not null
);
