-- Creates the partition of the audit trail for the month that begins at this time of UTC. It is created on its own and then
-- attached, which does not block inserts.
create or replace function create_audit_partition(month timestamp) returns void language plpgsql as $$
declare
  partition text := 'audit_events_' || to_char(month, 'YYYY_MM');
begin
  execute format('create table %I (like audit_events including defaults including constraints)', partition);
  execute format('create trigger audit_events_append_only before update or delete or truncate on %I
    for each statement execute function refuse_to_change_history()', partition);
  execute format('alter table audit_events attach partition %I for values from (%L) to (%L)', partition,
    month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
end $$;
