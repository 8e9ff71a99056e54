-- Partitions the audit trail by month, so that old events can be dropped. The existing table becomes the first partition without
-- being rewritten; keep_audit_partitions creates those of the coming months.

drop index audit_events_by_user;
drop index audit_events_by_client;
alter table audit_events rename to audit_events_first;
create table audit_events (like audit_events_first including defaults including constraints) partition by range (happened_at);

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

create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function refuse_to_change_history();

do $$
declare
  latest timestamptz := greatest(now(), (select max(happened_at) from audit_events_first));
begin
  execute format('alter table audit_events attach partition audit_events_first for values from (minvalue) to (%L)',
    (date_trunc('month', latest at time zone 'UTC') + interval '1 month') at time zone 'UTC');
end $$;

-- For events without a partition of their own, so that no event is ever refused.
create table audit_events_rest partition of audit_events default;
create trigger audit_events_append_only before update or delete or truncate on audit_events_rest
  for each statement execute function refuse_to_change_history();

create view audit_partitions as
select c.relname::text as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''(.*)''\)')::timestamptz as ends_at
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'audit_events'::regclass;
