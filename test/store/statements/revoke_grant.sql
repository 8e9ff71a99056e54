with
  revoked as (
    update grants
    set
      revoked_at = now()
    where
      user_id = $1
      and client_id = $2
      and revoked_at is null
    returning
      grant_id
  ),
  own_decision as (
    insert into
      own_decisions (user_id, client_id)
    select
      $1,
      clients.client_id
    from
      (
        select
        from
          revoked
        limit
          1
      ) revoked
      join clients on clients.client_id = $2
    where
      clients.consent = 'none'
    on conflict do nothing
  )
select
  grant_id
from
  revoked
limit
  1
