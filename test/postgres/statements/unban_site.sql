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
    -- what another ban bars, of a site above or below, that ban keeps disabled
    set
      (disabled_at, disabled_by_owner) = (
        select
          coalesce(max(other.banned_at), clients.disabled_at),
          max(other.banned_at) is null
        from
          banned_sites other
        where
          other.site_domain <> $1
          and other.site_domain in (
            select
              array_to_string(labels[place:], '.')
            from
              string_to_array(left(clients.site_domain, 253), '.') labels,
              generate_series(1, cardinality(labels)) place
          )
      )
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
