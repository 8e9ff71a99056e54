-- After a restore: the migrations put all events of before into the first partition, which would be kept until the newest of them
-- is old enough. Gives each month its own again.
create or replace function split_first_audit_partition() returns void language plpgsql as $$
declare
  month timestamp;
begin
  if to_regclass('audit_events_first') is null then return; end if;
  alter table audit_events detach partition audit_events_first;
  for month in
    select date_trunc('month', happened_at at time zone 'UTC') from audit_events_first
    union
    select date_trunc('month', now() at time zone 'UTC')
  loop
    perform create_audit_partition(month);
  end loop;
  insert into audit_events select * from audit_events_first;
  drop table audit_events_first;
end $$;
