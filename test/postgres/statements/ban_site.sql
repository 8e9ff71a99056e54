with
  banned as (
    insert into
      banned_sites (site_domain)
    values
      ($1)
    on conflict on constraint banned_sites_pkey do update
    set
      banned_at = banned_sites.banned_at
    returning
      banned_at,
      banned_at = now() as is_new
  ),
  stopped as (
    update clients
    -- by which it is known what the ban has disabled
    set
      disabled_at = banned_at,
      disabled_by_owner = false
    from
      banned
    where
      (
        reverse(site_domain) collate "C" = reverse($1::text)
        or reverse(site_domain) collate "C" >= reverse($1::text) || '.'
        and reverse(site_domain) collate "C" < reverse($1::text) || '/'
      )
      and deleted_at is null
      and not vouched
      and (
        clients.disabled_at is null
        or disabled_by_owner
      )
    returning
      client_id
  ),
  new_ban as (
    select
    from
      banned
    where
      is_new
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $2::text,
      coalesce($3::integer, null),
      $4::text,
      coalesce($5::text, null),
      $6,
      $7,
      acting_administrator ($8::bytea)
    from
      new_ban
    limit
      1
  )
select
  (
    select
      count(*)::integer
    from
      stopped
  ) as disabled,
  is_new
from
  banned
