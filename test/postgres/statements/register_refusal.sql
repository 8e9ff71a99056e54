with
  given as (
    select
      requests.*
    from
      (
        select
          client_id,
          request_id,
          request,
          error,
          reason,
          redirect_uri,
          position
        from
          unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality parameters (client_id, request_id, request, error, reason, redirect_uri, position)
        where
          position between 1 and 500
      ) requests
  ),
  stored as (
    insert into
      refusals (client_id, request_id, request, error, reason, redirect_uri)
    select
      clients.client_id,
      request_id,
      request,
      error,
      reason,
      redirect_uri
    from
      given
      join clients on clients.client_id = given.client_id
    order by
      position
    returning
      client_id
  ),
  outdated as (
    delete from refusals
    where
      ctid = any (
        array(
          select
            older.ctid
          from
            (
              select distinct
                client_id
              from
                stored
            ) affected
            cross join lateral (
              select
                kept.ctid
              from
                refusals kept
              where
                kept.client_id = affected.client_id
              order by
                kept.refusal_id desc
              offset
                300
              limit
                500
            ) older
        )
      )
  )
select
  position
from
  given
