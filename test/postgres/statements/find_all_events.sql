with
  looked as materialized (
    select
      *
    from
      (
        select
          happened_at,
          event,
          user_id,
          client_id,
          address,
          request_id,
          tableoid::bigint as table_id,
          ctid as row_id,
          detail,
          by_user_id,
          by_system_user
        from
          audit_events
        union all
        select
          happened_at,
          event,
          user_id,
          client_id,
          address,
          request_id,
          tableoid::bigint as table_id,
          ctid as row_id,
          null,
          null,
          null
        from
          routine_events
      ) events
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
      and (happened_at at time zone 'UTC', table_id, row_id) < (
        coalesce((to_timestamp(0) + $10::bigint * interval '1 microsecond') at time zone 'UTC', 'infinity'),
        $11::bigint,
        $12::tid
      )
    order by
      happened_at at time zone 'UTC' desc,
      table_id desc,
      row_id desc
    limit
      $13
  ),
  fitting as (
    select
      *
    from
      looked
    where
      (
        $14::text is null
        or request_id = $14
      )
      and (
        $15::integer is null
        or user_id = $15
      )
      and (
        $16::integer is null
        or by_user_id = $16
      )
      and (
        $17::text is null
        or by_system_user = $17
      )
      and (
        $18::text is null
        or address = $18
      )
      and (
        $19::text is null
        or client_id = $19
      )
      and (
        $20::text is null
        or event = $20
      )
    order by
      happened_at at time zone 'UTC' desc,
      table_id desc,
      row_id desc
    limit
      $21
  )
select
  found.happened_at,
  found.event,
  found.user_id,
  people.username,
  found.client_id,
  clients.name as client_name,
  clients.client_id is not null
  and clients.deleted_at is null as has_client,
  found.address,
  found.request_id,
  found.detail,
  found.by_user_id,
  administrators.username as by_username,
  found.by_system_user,
  concat_ws(
    '-',
    (
      extract(
        epoch
        from
          found.happened_at
      ) * 1000000
    )::bigint,
    found.table_id,
    translate(found.row_id::text, ',()', '-')
  ) as key,
  bounds.looked,
  bounds.looked_to
from
  (
    select
      count(*)::integer as looked,
      (
        select
          concat_ws(
            '-',
            (
              extract(
                epoch
                from
                  looked.happened_at
              ) * 1000000
            )::bigint,
            looked.table_id,
            translate(looked.row_id::text, ',()', '-')
          )
        from
          looked
        order by
          happened_at at time zone 'UTC' asc,
          table_id asc,
          row_id asc
        limit
          1
      ) as looked_to
    from
      looked
  ) bounds
  left join fitting found on true
  left join users people on people.user_id = found.user_id
  left join users administrators on administrators.user_id = found.by_user_id
  left join clients on clients.client_id = found.client_id
order by
  found.happened_at desc,
  found.table_id desc,
  found.row_id desc
