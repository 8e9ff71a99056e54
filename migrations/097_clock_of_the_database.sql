-- What was seen of the clock of this database: sweeps delete nothing while it has just jumped, or a clock that is once ahead
-- would make everything look old.

-- One row, for all instances. The clock is trusted to begin with.
create table database_clock (
  -- null: nobody has looked yet
  looked_at timestamptz,
  -- since then every look found the time that it expected
  steady_since timestamptz not null default '-infinity'
);
insert into database_clock default values;

-- Partitions of the audit trail that are older than the retention, and when that was first found. They are dropped a day later,
-- if all looks in between have found the same.
create table overdue_audit_partitions (
  name text primary key,
  overdue_since timestamptz not null
);

create or replace view audit_partitions as
select c.relname::text as name, bound.ends_at,
  -- the first one covers all times before, the one for the rest has no times
  case when bound.ends_at is not null then coalesce(bound.starts_at, '-infinity') end as starts_at
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
cross join lateral (
  select substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''(.*)''\)')::timestamptz as ends_at,
    substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''(.*)''\) TO')::timestamptz as starts_at) bound
where i.inhparent = 'audit_events'::regclass;
