select
  from_time as begins_at,
  name,
  floor(
    extract(
      epoch
      from
        counts.begins_at - from_time
    ) / $2
  )::integer as step,
  sum(total) as total
from
  (
    select
      date_bin(make_interval(secs => $2), now(), to_timestamp(0)) - make_interval(secs => $2 * ($1 - 1)) as from_time
  ) shown
  left join counts on seconds in (60, 3600)
  and counts.begins_at >= from_time
  and counts.begins_at <= now()
group by
  from_time,
  name,
  step
