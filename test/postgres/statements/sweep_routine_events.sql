with
  oldest as materialized (
    select
      ctid
    from
      routine_events
    where
      (happened_at at time zone 'UTC') < (now() - make_interval(days => $2)) at time zone 'UTC'
    order by
      (happened_at at time zone 'UTC')
    limit
      $1
    for update
      skip locked
  ),
  swept as (
    delete from routine_events
    where
      ctid = any (
        array(
          select
            ctid
          from
            oldest
        )
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
