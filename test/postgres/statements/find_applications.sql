select
  clients.client_id,
  clients.secrets_sha256,
  clients.name,
  clients.site_domain,
  clients.redirect_uris,
  clients.scopes,
  clients.required_scopes,
  clients.homepage_uri,
  clients.logo_uri,
  clients.policy_uri,
  clients.tos_uri,
  clients.grant_types,
  clients.resource_server,
  clients.scope_reasons,
  clients.owner_id,
  clients.vouched,
  clients.consent,
  clients.token_endpoint_auth_method,
  clients.token_endpoint_auth_signing_alg,
  clients.jwks,
  clients.jwks_uri,
  clients.tls_client_auth_subject_dn,
  clients.tls_client_auth_san_dns,
  clients.token_binding,
  clients.require_pushed_authorization_requests,
  clients.require_signed_request_object,
  clients.request_object_signing_alg,
  clients.authorization_details_types,
  clients.assertion_audience,
  clients.profile,
  clients.origin,
  clients.has_fixed_scopes,
  clients.offered_methods,
  clients.only_for,
  clients.created_at,
  clients.disabled_at,
  clients.assertions_not_before,
  secrets_since,
  disabled_by_owner,
  last_used_at,
  (
    select
      username
    from
      users
    where
      users.user_id = clients.owner_id
  ) as owner
from
  (
    (
      select
        client_id
      from
        clients
      where
        lower(client_id) collate "C" >= lower($1::text)
        and lower(client_id) collate "C" < lower($1::text) || chr(1114111)
        and deleted_at is null
      order by
        lower(client_id) collate "C"
      limit
        $3
    )
    union
    (
      select
        client_id
      from
        clients
      where
        lower(name) collate "C" >= lower($1::text)
        and lower(name) collate "C" < lower($1::text) || chr(1114111)
        and deleted_at is null
      order by
        lower(name) collate "C"
      limit
        $3
    )
    union
    (
      select
        client_id
      from
        clients
      where
        split_part(lower(name), ' ', 2) collate "C" >= lower($1::text)
        and split_part(lower(name), ' ', 2) collate "C" < lower($1::text) || chr(1114111)
        and deleted_at is null
      order by
        split_part(lower(name), ' ', 2) collate "C"
      limit
        $3
    )
    union
    (
      select
        client_id
      from
        clients
      where
        substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ ([^ ]+) '
        ) collate "C" >= lower($1::text)
        and substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ ([^ ]+) '
        ) collate "C" < lower($1::text) || chr(1114111)
        and deleted_at is null
      order by
        substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ ([^ ]+) '
        ) collate "C"
      limit
        $3
    )
    union
    (
      select
        client_id
      from
        clients
      where
        substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$'
        ) collate "C" >= lower($1::text)
        and substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$'
        ) collate "C" < lower($1::text) || chr(1114111)
        and deleted_at is null
      order by
        substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$'
        ) collate "C"
      limit
        $3
    )
    union
    (
      select
        client_id
      from
        clients
      where
        substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$'
        ) collate "C" >= lower($1::text)
        and substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$'
        ) collate "C" < lower($1::text) || chr(1114111)
        and deleted_at is null
      order by
        substring(
          lower(name)
          from
            '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$'
        ) collate "C"
      limit
        $3
    )
    union
    (
      select
        client_id
      from
        clients
      where
        lower(site_domain) collate "C" >= lower($1::text)
        and lower(site_domain) collate "C" < lower($1::text) || chr(1114111)
        and deleted_at is null
      order by
        lower(site_domain) collate "C"
      limit
        $3
    )
    union
    (
      select
        client_id
      from
        clients
      where
        reverse(site_domain) collate "C" >= reverse(lower($1::text))
        and reverse(site_domain) collate "C" < reverse(lower($1::text)) || chr(1114111)
        and deleted_at is null
      order by
        reverse(site_domain) collate "C"
      limit
        $3
    )
    union
    (
      select
        client_id
      from
        clients
      where
        owner_id = $2
        and deleted_at is null
      order by
        created_at
      limit
        $3
    )
    limit
      $3
  ) found
  join clients using (client_id)
order by
  client_id
