-- Each statement by itself.
-- For those who ask what somebody did: an administrator, or a user of the system. By an expression, as the indexes of 024. Those of the
-- partitions are built concurrently, as in 023, and the last statements take them over.
select format('drop index concurrently if exists %I', name || '_' || who)
from audit_partitions
cross join (values ('by_user_id'), ('by_system_user')) kinds (who)
where exists (
  select from pg_class
  join pg_index on indexrelid = pg_class.oid
  where relname = name || '_' || who and not indisvalid) \gexec

select format('create index concurrently if not exists %I on %I (%I, ((happened_at at time zone ''UTC''))) where %3$I is not null', name || '_' || who, name, who)
from audit_partitions
cross join (values ('by_user_id'), ('by_system_user')) kinds (who) \gexec

create index if not exists audit_events_by_user_id on audit_events (by_user_id, (happened_at at time zone 'UTC')) where by_user_id is not null;
create index if not exists audit_events_by_system_user on audit_events (by_system_user, (happened_at at time zone 'UTC')) where by_system_user is not null;
