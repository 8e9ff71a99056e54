with
  swept as (
    delete from clients
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        (
          deleted_at is not null
          or coalesce(last_used_at, created_at) < now() - interval '30 days'
          and not vouched
          and clients.disabled_at is null
          and exists (
            select
            from
              self_registrations
            where
              self_registrations.client_id = clients.client_id
          )
          and not exists (
            select
            from
              clients_in_use
            where
              clients_in_use.client_id = clients.client_id
          )
        )
        and not exists (
          select
          from
            grants
          where
            grants.client_id = clients.client_id
        )
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
