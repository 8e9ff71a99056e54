-- What happened, for people, developers and operators; and how often something was tried.

create table audit_events (
  happened_at timestamptz not null default now(),
  event text not null,
  user_id integer,
  client_id text,
  code_id bigint,
  request_id text not null,
  address text,
  detail text,
  -- whatever a later version writes here, it cannot be one of our secrets
  constraint audit_events_hold_no_secret check (detail !~ 'lk_(at|rt|ac|cs)_')
);
create index audit_events_by_user on audit_events (user_id, happened_at) where user_id is not null;
-- without the two events that every exchange and refresh writes: they are read by the person's index, or not at all
create index audit_events_by_client on audit_events (client_id, happened_at)
  where event <> 'tokens_issued' and event <> 'tokens_refreshed';

-- Append-only: history is not edited, not even by this program.
create function refuse_to_change_history() returns trigger language plpgsql as $$
begin
  raise exception 'audit_events is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_to_change_history();

-- Counters of attempts, in the database so that they hold across instances. Losing them in a crash costs nothing.
create unlogged table attempts (
  key text primary key,
  attempts integer not null,
  blocked_until timestamptz not null,
  forgotten_at timestamptz not null
);

-- Counts an attempt under one key and says how many seconds to wait before it may be made; 0: now. The first `free`
-- attempts of a quarter of an hour are free, then the waits double from `pause` to `longest`. An attempt that has to
-- wait is not counted: a stranger cannot lock anybody out for longer than `longest` by trying on.
create function count_attempt(attempt_key text, free integer, pause integer, longest integer) returns integer
language plpgsql as $$
declare
  wait integer;
begin
  insert into attempts as a (key, attempts, blocked_until, forgotten_at)
  values (attempt_key, 1, now(), now() + interval '15 minutes')
  on conflict (key) do update
  set attempts = case when a.forgotten_at <= now() then 1 else a.attempts + 1 end,
      blocked_until = case
        when a.forgotten_at <= now() or a.attempts + 1 < free then now()
        else now() + make_interval(secs => least(longest, pause * power(2, least(a.attempts + 1 - free, 20)))) end,
      forgotten_at = case
        when a.forgotten_at <= now() then now() + interval '15 minutes'
        when a.attempts + 1 < free then a.forgotten_at
        else greatest(a.forgotten_at, now() + make_interval(secs => 2 * longest)) end
  where a.blocked_until <= clock_timestamp();
  if found then return 0; end if;
  select greatest(1, ceil(extract(epoch from a.blocked_until - clock_timestamp())))::integer into wait
  from attempts a where a.key = attempt_key;
  return wait;
end $$;
