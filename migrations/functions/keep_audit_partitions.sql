-- Creates the partitions of the audit trail for this month and the next three, drops those older than the retention, and returns
-- the names of the dropped ones. Events are deleted in no other way. A partition is created on its own and then attached, which
-- does not block inserts; lock_timeout is short, because inserts would queue behind a waiting lock.
create or replace function keep_audit_partitions(retention_days integer) returns text[] language plpgsql
set lock_timeout = '100ms' as $$
declare
  month timestamp := date_trunc('month', now() at time zone 'UTC');
  last_month timestamp := month + interval '3 months';
  kept_since timestamptz := now() - make_interval(days => retention_days);
  partition text;
  dropped text[] := '{}';
begin
  -- another instance is doing it
  if not pg_try_advisory_xact_lock(hashtextextended('keep_audit_partitions', 0)) then
    return dropped;
  end if;

  month := greatest(month, (select max(ends_at) at time zone 'UTC' from audit_partitions));
  while month <= last_month loop
    -- a month of which events are in audit_events_rest already stays there
    if not exists (
      select from audit_events_rest
      where happened_at at time zone 'UTC' >= month
        and happened_at at time zone 'UTC' < month + interval '1 month')
    then
      partition := 'audit_events_' || to_char(month, 'YYYY_MM');
      execute format('create table %I (like audit_events including defaults including constraints)', partition);
      execute format('create trigger audit_events_append_only before update or delete or truncate on %I
        for each statement execute function refuse_to_change_history()', partition);
      execute format('alter table audit_events attach partition %I for values from (%L) to (%L)', partition,
        month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
    end if;
    month := month + interval '1 month';
  end loop;

  for partition in select name from audit_partitions where ends_at <= kept_since loop
    execute format('drop table %I', partition);
    dropped := dropped || partition;
  end loop;
  if (select max(happened_at at time zone 'UTC') from audit_events_rest) < kept_since at time zone 'UTC' then
    drop table audit_events_rest;
    create table audit_events_rest partition of audit_events default;
    create trigger audit_events_append_only before update or delete or truncate on audit_events_rest
      for each statement execute function refuse_to_change_history();
    dropped := dropped || 'audit_events_rest'::text;
  end if;
  return dropped;
end $$;
