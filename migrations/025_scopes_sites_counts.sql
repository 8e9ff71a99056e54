-- What operators say about scopes, sites and applications.

-- What a group of permissions is called on pages; one without a row is shown by its name.
create table scope_groups (
  name text primary key constraint scope_groups_name_is_a_scope_token check (name ~ '^[a-z][a-z0-9:_.-]{0,63}$'),
  sentence text not null,
  -- by language, where the operator gives one
  sentences jsonb not null default '{}'
);

-- No application for which nobody vouches may have this site, or one below it.
create table banned_sites (
  site_domain text primary key,
  banned_at timestamptz not null default now()
);

-- An operator has revoked all of its codes and tokens; those of codes that were issued by then are over.
alter table clients add column tokens_not_before timestamptz;

-- What all instances have counted in a minute, or after a day in an hour. The names come from the program, so there are few.
create table counts (
  name text,
  seconds integer constraint counts_seconds check (seconds in (60, 3600)),
  begins_at timestamptz,
  total double precision not null,
  primary key (seconds, begins_at, name)
) with (fillfactor = 70);

-- A process that serves requests, as it says every ten seconds.
create table instances (
  host text,
  pid integer,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  primary key (host, pid)
) with (fillfactor = 50);
