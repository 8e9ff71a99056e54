with
  banned as (
    insert into
      banned_sites (site_domain)
    values
      ($1)
    on conflict do nothing
  ),
  stopped as (
    update clients
    set
      disabled_at = least(disabled_at, now()),
      disabled_by_owner = false
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
  )
select
  count(*)::integer as disabled
from
  stopped
