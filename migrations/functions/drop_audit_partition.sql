-- Drops a partition of the audit trail with its events. The one for the rest is replaced by an empty one; what a clock that was
-- ahead has put there is kept.
create or replace function drop_audit_partition(name text) returns void language plpgsql as $$
begin
  if name <> 'audit_events_rest' then
    execute format('drop table %I', name);
    return;
  end if;
  alter table audit_events detach partition audit_events_rest;
  alter table audit_events_rest rename to audit_events_dropped;
  create table audit_events_rest partition of audit_events default;
  create trigger audit_events_append_only before update or delete or truncate on audit_events_rest
    for each statement execute function refuse_to_change_history();
  insert into audit_events select * from audit_events_dropped where happened_at > now();
  drop table audit_events_dropped;
end $$;
