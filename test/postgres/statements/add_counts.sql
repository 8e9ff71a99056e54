with
  seen as (
    insert into
      instances (host, pid, version, started_at)
    values
      ($3, $4, $5, $6)
    on conflict on constraint instances_pkey do update
    set
      version = excluded.version,
      started_at = excluded.started_at,
      seen_at = now()
  )
insert into
  counts (seconds, begins_at, name, total)
select
  60,
  date_trunc('minute', now()),
  name,
  total
from
  unnest($1::text[], $2::double precision[]) counted (name, total)
order by
  name
on conflict on constraint counts_pkey do update
set
  total = counts.total + excluded.total
