with
  overdue as (
    delete from counts
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and seconds = 60
      and begins_at < now() - interval '25 hours'
    returning
      begins_at,
      name,
      total
  ),
  rolled_up as (
    insert into
      counts (seconds, begins_at, name, total)
    select
      3600,
      date_trunc('hour', begins_at, 'UTC') as hour,
      name,
      sum(total)
    from
      overdue
    group by
      hour,
      name
    order by
      name,
      hour
    on conflict on constraint counts_pkey do update
    set
      total = counts.total + excluded.total
  ),
  swept as (
    select
      1
    from
      overdue
  )
select
  count(*)::integer as swept
from
  swept
