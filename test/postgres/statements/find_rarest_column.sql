select
  name
from
  (
    select
      'request_id' as name,
      (
        select
          happened_at
        from
          audit_events
        where
          request_id = $1::text
        order by
          happened_at at time zone 'UTC' desc
        offset
          100
        limit
          1
      ) as hundredth
    where
      $1 is not null
    union all
    select
      'user_id' as name,
      (
        select
          happened_at
        from
          audit_events
        where
          user_id = $2::integer
        order by
          happened_at at time zone 'UTC' desc
        offset
          100
        limit
          1
      ) as hundredth
    where
      $2 is not null
    union all
    select
      'by_user_id' as name,
      (
        select
          happened_at
        from
          audit_events
        where
          by_user_id = $3::integer
        order by
          happened_at at time zone 'UTC' desc
        offset
          100
        limit
          1
      ) as hundredth
    where
      $3 is not null
    union all
    select
      'by_system_user' as name,
      (
        select
          happened_at
        from
          audit_events
        where
          by_system_user = $4::text
        order by
          happened_at at time zone 'UTC' desc
        offset
          100
        limit
          1
      ) as hundredth
    where
      $4 is not null
    union all
    select
      'address' as name,
      (
        select
          happened_at
        from
          audit_events
        where
          address = $5::text
        order by
          happened_at at time zone 'UTC' desc
        offset
          100
        limit
          1
      ) as hundredth
    where
      $5 is not null
    union all
    select
      'client_id' as name,
      (
        select
          happened_at
        from
          audit_events
        where
          client_id = $6::text
        order by
          happened_at at time zone 'UTC' desc
        offset
          100
        limit
          1
      ) as hundredth
    where
      $6 is not null
    union all
    select
      'event' as name,
      (
        select
          happened_at
        from
          audit_events
        where
          event = $7::text
        order by
          happened_at at time zone 'UTC' desc
        offset
          100
        limit
          1
      ) as hundredth
    where
      $7 is not null
  ) columns
order by
  hundredth nulls first
limit
  1
