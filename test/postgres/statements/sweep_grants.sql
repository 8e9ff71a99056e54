with
  swept as (
    delete from grants
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        least(revoked_at, expires_at) < now() - interval '7 days'
        and not exists (
          select
          from
            authorization_codes code
          where
            code.grant_id = grants.grant_id
        )
        or client_id in (
          select
            client_id
          from
            clients
          where
            deleted_at is not null
        )
      )
    returning
      user_id,
      client_id
  ),
  remembered as (
    insert into
      own_decisions (user_id, client_id)
    select distinct
      swept.user_id,
      swept.client_id
    from
      swept
      join clients on clients.client_id = swept.client_id
    where
      clients.deleted_at is null
    on conflict do nothing
  )
select
  count(*)::integer as swept
from
  swept
