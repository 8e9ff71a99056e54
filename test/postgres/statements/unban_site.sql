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
      unbanned
    limit
      1
  )
select
  banned_at
from
  unbanned
