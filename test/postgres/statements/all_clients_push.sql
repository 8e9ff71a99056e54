select
  1
where
  exists (
    select
    from
      clients
    where
      (
        jwks is not null
        or jwks_uri is not null
        or profile is not null
      )
      and clients.disabled_at is null
  )
  and not exists (
    select
    from
      clients
    where
      not require_pushed_authorization_requests
      and not require_signed_request_object
      and clients.disabled_at is null
  )
