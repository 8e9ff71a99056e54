with
  due as (
    select
      position,
      grants.grant_id,
      grants.client_id
    from
      (
        select
          grant_id,
          position
        from
          unnest($1::bigint[]) with ordinality parameters (grant_id, position)
        where
          position between 1 and 500
      ) requests
      join grants on grants.grant_id = requests.grant_id
    where
      (grants.last_used_at > now() - interval '5 minutes') is not true
    for no key update of
      grants skip locked
  ),
  touched as (
    update grants
    set
      last_used_at = now()
    from
      due
    where
      grants.grant_id = due.grant_id
  ),
  client_due as (
    select
      clients.client_id
    from
      clients
      join (
        select distinct
          client_id
        from
          due
      ) used on used.client_id = clients.client_id
    where
      (clients.last_used_at > now() - interval '5 minutes') is not true
    for no key update of
      clients skip locked
  ),
  client_touched as (
    update clients
    set
      last_used_at = now()
    from
      client_due
    where
      clients.client_id = client_due.client_id
  )
select
  position
from
  due
