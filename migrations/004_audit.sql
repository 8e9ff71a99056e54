-- The audit trail, for people, developers and operators, in one partition for each month, so that old events can be dropped.

-- An event. keep_audit_partitions creates the partitions of the coming months.
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
  constraint audit_events_hold_no_secret check (detail !~ 'lk_[a-z]{2}_')
) partition by range (happened_at);

-- for the operator; by an expression, so that the planner cannot choose this index for the events of one user, where its
-- statistics say that all events are of one user
create index audit_events_by_time on audit_events ((happened_at at time zone 'UTC'));
-- for the history of a token
create index audit_events_by_family on audit_events (code_id, happened_at) where code_id is not null;
-- for the page of a user: exactly the events that it shows
create index audit_events_by_user on audit_events (user_id, happened_at)
  where event in ('signed_in', 'sign_in_refused', 'signed_out', 'session_ended', 'password_changed', 'profile_changed',
    'consent_given', 'consent_refused', 'consent_changed', 'consent_revoked',
    'refresh_token_reused', 'code_reused', 'token_leaked');

-- Append-only, also for this program.
create function refuse_to_change_history() returns trigger language plpgsql as $$
begin
  raise exception 'audit_events is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_to_change_history();

-- All times until the end of this month; events without a partition of their own, so that no event is ever refused.
do $$
begin
  execute format('create table audit_events_first partition of audit_events for values from (minvalue) to (%L)',
    (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
  execute 'create trigger audit_events_append_only before update or delete or truncate on audit_events_first
    for each statement execute function refuse_to_change_history()';
end $$;
create table audit_events_rest partition of audit_events default;
create trigger audit_events_append_only before update or delete or truncate on audit_events_rest
  for each statement execute function refuse_to_change_history();

-- Tokens that were issued and refreshed: by far the most events, and of use for a short time only. The sweep deletes them.
create table routine_events (
  happened_at timestamptz not null default now(),
  event text not null,
  user_id integer,
  client_id text,
  code_id bigint,
  request_id text not null,
  address text
);
create index routine_events_by_time on routine_events ((happened_at at time zone 'UTC'));
create index routine_events_by_family on routine_events (code_id, happened_at) where code_id is not null;
create trigger routine_events_unchanged before update or truncate on routine_events
  for each statement execute function refuse_to_change_history();
create trigger routine_events_kept_for_a_day before delete on routine_events
  for each row when (old.happened_at > now() - interval '1 day') execute function refuse_to_change_history();

-- All events that are left.
create view audit_trail as
select happened_at, event, user_id, client_id, code_id, request_id, address, detail from audit_events
union all
select happened_at, event, user_id, client_id, code_id, request_id, address, null from routine_events;

create view audit_partitions as
select c.relname::text as name, bound.ends_at,
  -- the first one covers all times before, the one for the rest has no times
  case when bound.ends_at is not null then coalesce(bound.starts_at, '-infinity') end as starts_at
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
cross join lateral (
  select substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''(.*)''\)')::timestamptz as ends_at,
    substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''(.*)''\) TO')::timestamptz as starts_at) bound
where i.inhparent = 'audit_events'::regclass;

-- A partition that is older than the retention, and when that was first found. It is dropped a day later, if all looks in between
-- have found the same.
create table overdue_audit_partitions (
  name text primary key,
  overdue_since timestamptz not null
);
