with
  unbanned as (
    delete from banned_sites
    where
      site_domain = $1
    returning
      banned_at
  ),
  returned as (
    update clients
    set
      disabled_by_owner = true
    from
      unbanned
    where
      (
        reverse(site_domain) collate "C" = reverse($1::text)
        or reverse(site_domain) collate "C" >= reverse($1::text) || '.'
        and reverse(site_domain) collate "C" < reverse($1::text) || '/'
      )
      and deleted_at is null
      and disabled_at = banned_at
  )
select
  banned_at
from
  unbanned
