with
  looked as materialized (
    select
      happened_at,
      event,
      user_id,
      client_id,
      address,
      request_id,
      detail,
      by_user_id,
      by_system_user
    from
      audit_trail
    where
      (
        $1::text is null
        or request_id = $1
      )
      and (
        $2::integer is null
        or user_id = $2
      )
      and (
        $3::integer is null
        or by_user_id = $3
      )
      and (
        $4::text is null
        or by_system_user = $4
      )
      and (
        $5::text is null
        or address = $5
      )
      and (
        $6::text is null
        or client_id = $6
      )
      and (
        $7::text is null
        or event = $7
      )
      and happened_at at time zone 'UTC' >= coalesce($8::timestamptz at time zone 'UTC', '-infinity')
      and happened_at at time zone 'UTC' <= coalesce($9::timestamptz at time zone 'UTC', 'infinity')
      and happened_at at time zone 'UTC' < coalesce((to_timestamp(0) + $10::bigint * interval '1 microsecond') at time zone 'UTC', 'infinity')
    order by
      happened_at at time zone 'UTC' desc
    fetch first
      ($11) rows
    with
      ties
  ),
  fitting as (
    select
      *
    from
      looked
    where
      (
        $12::text is null
        or request_id = $12
      )
      and (
        $13::integer is null
        or user_id = $13
      )
      and (
        $14::integer is null
        or by_user_id = $14
      )
      and (
        $15::text is null
        or by_system_user = $15
      )
      and (
        $16::text is null
        or address = $16
      )
      and (
        $17::text is null
        or client_id = $17
      )
      and (
        $18::text is null
        or event = $18
      )
    order by
      happened_at desc
    fetch first
      ($19) rows
    with
      ties
  )
select
  found.happened_at,
  found.event,
  found.user_id,
  people.username,
  found.client_id,
  clients.name as client_name,
  found.address,
  found.request_id,
  found.detail,
  found.by_user_id,
  administrators.username as by_username,
  found.by_system_user,
  (
    extract(
      epoch
      from
        found.happened_at
    ) * 1000000
  )::bigint as key,
  bounds.looked,
  (
    extract(
      epoch
      from
        bounds.oldest
    ) * 1000000
  )::bigint as looked_to
from
  (
    select
      count(*)::integer as looked,
      min(happened_at) as oldest
    from
      looked
  ) bounds
  left join fitting found on true
  left join users people on people.user_id = found.user_id
  left join users administrators on administrators.user_id = found.by_user_id
  left join clients on clients.client_id = found.client_id
order by
  found.happened_at desc
