select
  1
where
  (
    exists (
      select
      from
        banned_sites
      where
        banned_sites.site_domain = any ($1)
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
        barring.site_domain = any ($1)
        and not barring.disabled_at is null
        and barring.deleted_at is null
        and not barring.disabled_by_owner
    )
  )
