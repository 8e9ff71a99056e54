-- The audit trail, for users, developers and operators; and the counters of attempts.

create table audit_events (
  happened_at timestamptz not null default now(),
  event text not null,
  user_id integer,
  client_id text,
  code_id bigint,
  request_id text not null,
  address text,
  detail text,
  -- no version of this program can store a secret here by mistake
  constraint audit_events_hold_no_secret check (detail !~ 'lk_(at|rt|ac|cs)_')
);
create index audit_events_by_user on audit_events (user_id, happened_at) where user_id is not null;
-- without the two events of every exchange and refresh, which nothing reads by client
create index audit_events_by_client on audit_events (client_id, happened_at)
  where event <> 'tokens_issued' and event <> 'tokens_refreshed';

-- Append-only, also for this program.
create function refuse_to_change_history() returns trigger language plpgsql as $$
begin
  raise exception 'audit_events is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_to_change_history();

-- In the database, so that instances share them; unlogged, because they may be lost in a crash.
create unlogged table attempts (
  key text primary key,
  attempts integer not null,
  blocked_until timestamptz not null,
  forgotten_at timestamptz not null
);
