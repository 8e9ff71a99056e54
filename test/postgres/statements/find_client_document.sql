select
  case
    when client_documents.client_id is null then 'registered'
    when (
      exists (
        select
        from
          banned_sites
        where
          banned_sites.site_domain = any ($2)
      )
      or exists (
        select
        from
          clients barring
          -- the limit keeps the planner from starting with all registrations
          join lateral (
            select
              1
            from
              self_registrations
            where
              self_registrations.client_id = barring.client_id
            union all
            select
              1
            from
              client_documents
            where
              client_documents.client_id = barring.client_id
            limit
              1
          ) registered_by_itself on true
        where
          barring.site_domain = any ($2)
          and not barring.disabled_at is null
          and barring.deleted_at is null
          and not barring.disabled_by_owner
      )
    ) then 'barred'
    when not clients.disabled_at is null then 'over'
    when fresh_until - (fresh_until - fetched_at) / 4 > now()
    and fetched_at between now() - interval '1 day' and clock_timestamp() then 'fresh'
    when fresh_until > now()
    and fetched_at between now() - interval '1 day' and clock_timestamp() then 'ageing'
    when fetched_at > now() - interval '1 day' then 'stale'
    else 'over'
  end as state,
  coalesce(fetched_at between now() - interval '1 minute' and clock_timestamp(), false) as is_recent,
  clients.disabled_at is null as is_enabled,
  vouched
from
  clients
  left join client_documents using (client_id)
where
  clients.client_id = $1
  and deleted_at is null
