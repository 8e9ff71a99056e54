select
  json_build_object(
    'count',
    count(*) filter (
      where
        exists (
          select
          from
            unnest(redirect_uris) uri
          where
            uri ~ '^http:'
            and uri !~ '^http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?([/?]|$)'
        )
    ),
    'examples',
    coalesce(
      to_json(
        (
          array_agg(client_id) filter (
            where
              exists (
                select
                from
                  unnest(redirect_uris) uri
                where
                  uri ~ '^http:'
                  and uri !~ '^http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?([/?]|$)'
              )
          )
        ) [1:5]
      ),
      '[]'
    )
  ) as http_redirect,
  json_build_object(
    'count',
    count(*) filter (
      where
        profile is null
        and (
          secrets_sha256 <> '{}'
          or coalesce(token_endpoint_auth_method, 'none') <> 'none'
        )
    ),
    'examples',
    coalesce(
      to_json(
        (
          array_agg(client_id) filter (
            where
              profile is null
              and (
                secrets_sha256 <> '{}'
                or coalesce(token_endpoint_auth_method, 'none') <> 'none'
              )
          )
        ) [1:5]
      ),
      '[]'
    )
  ) as without_pkce,
  json_build_object(
    'count',
    count(*) filter (
      where
        coalesce(last_used_at, created_at) < now() - interval '180 days'
    ),
    'examples',
    coalesce(
      to_json(
        (
          array_agg(client_id) filter (
            where
              coalesce(last_used_at, created_at) < now() - interval '180 days'
          )
        ) [1:5]
      ),
      '[]'
    )
  ) as unused,
  json_build_object(
    'count',
    count(*) filter (
      where
        assertion_audience = 'address'
        and token_endpoint_auth_method = 'private_key_jwt'
        and profile is null
    ),
    'examples',
    coalesce(
      to_json(
        (
          array_agg(client_id) filter (
            where
              assertion_audience = 'address'
              and token_endpoint_auth_method = 'private_key_jwt'
              and profile is null
          )
        ) [1:5]
      ),
      '[]'
    )
  ) as names_address
from
  (
    select
      *
    from
      clients
    where
      clients.disabled_at is null
    order by
      created_at at time zone 'UTC' desc,
      client_id desc
    limit
      10000
  ) clients
