with
  swept as (
    delete from clients
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        deleted_at is not null
        or coalesce(last_used_at + interval '400 days', created_at + interval '30 days') < now()
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
    returning
      client_id,
      name,
      deleted_at,
      last_used_at
  ),
  buried as (
    insert into
      buried_clients (client_id, name)
    select
      client_id,
      name
    from
      swept
    where
      deleted_at is null
      and last_used_at is not null
    on conflict on constraint buried_clients_pkey do nothing
  )
select
  count(*)::integer as swept
from
  swept
