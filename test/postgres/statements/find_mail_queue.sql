select
  count(*)::integer as waiting,
  greatest(
    0,
    extract(
      epoch
      from
        now() - min(created_at)
    )
  )::double precision as oldest_seconds,
  (
    select
      count(*)::integer
    from
      (
        select
        from
          mails
        where
          given_up_at is not null
        limit
          10000
      ) given_up
  ) as given_up,
  max(problem) as problem
from
  (
    select
      created_at,
      problem
    from
      mails
    where
      sealed is not null
    order by
      due_at
    limit
      10000
  ) waiting
