-- Creates the partitions of the audit trail for this month and the next three, drops those older than the retention, and returns
-- the names of the dropped ones. Events are deleted in no other way. lock_timeout is short, because inserts would queue behind a
-- waiting lock.
-- A clock that is ahead would make every event look old. So a partition is dropped only if it was found overdue a day before, too,
-- and at every look in between; and only if the process that asks has the same time, within an hour (null: it does not say).
create or replace function keep_audit_partitions(retention_days integer, process_clock timestamptz default null) returns text[]
language plpgsql set lock_timeout = '100ms' as $$
declare
  this_month timestamp := date_trunc('month', now() at time zone 'UTC');
  kept_since timestamptz := now() - make_interval(days => retention_days);
  month timestamp;
  partition text;
  overdue text[];
  dropped text[] := '{}';
begin
  -- another instance is doing it
  if not pg_try_advisory_xact_lock(hashtextextended('keep_audit_partitions', 0)) then
    return dropped;
  end if;

  for month in select generate_series(this_month, this_month + interval '3 months', interval '1 month') loop
    -- a month of which events are in audit_events_rest already stays there
    if not exists (
      select from audit_partitions
      where starts_at < (month + interval '1 month') at time zone 'UTC'
        and ends_at > month at time zone 'UTC')
    and not exists (
      select from audit_events_rest
      where happened_at at time zone 'UTC' >= month
        and happened_at at time zone 'UTC' < month + interval '1 month')
    then
      perform create_audit_partition(month);
    end if;
  end loop;

  if abs(extract(epoch from now() - process_clock)) > 3600 then
    return dropped;
  end if;
  overdue := array(select name from audit_partitions where ends_at <= kept_since order by ends_at);
  -- an event of the future was written while the clock was ahead, and says nothing about the others
  if (select max(happened_at at time zone 'UTC') from audit_events_rest where happened_at at time zone 'UTC' <= now() at time zone 'UTC')
    < kept_since at time zone 'UTC'
  then
    overdue := overdue || 'audit_events_rest'::text;
  end if;
  delete from overdue_audit_partitions
  where name <> all (overdue)
    or overdue_since > now();
  insert into overdue_audit_partitions
  select unnest(overdue), now()
  on conflict do nothing;

  foreach partition in array overdue loop
    if exists (select from overdue_audit_partitions where name = partition and overdue_since <= now() - interval '1 day') then
      perform drop_audit_partition(partition);
      delete from overdue_audit_partitions where name = partition;
      dropped := dropped || partition;
    end if;
  end loop;
  return dropped;
end $$;
