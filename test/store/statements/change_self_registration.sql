with
  permitted as (
    select
      clients.client_id,
      required_scopes,
      site_domain <> $4 as moves
    from
      self_registrations
      join clients using (client_id)
    where
      self_registrations.client_id = $1
      and self_registrations.token_sha256 = $2
      and (
        clients.disabled_at is null
        or clients.disabled_at = 'infinity'
      )
      and $6 <@ scopes
      and (
        $10::jsonb ->> 'token_endpoint_auth_method' = token_endpoint_auth_method
        or (
          $10::jsonb ->> 'token_endpoint_auth_method' ~ '^client_secret_'
          and secrets_sha256 <> '{}'
        )
      )
    for update of
      clients
  ),
  ended_grants as (
    update grants
    set
      revoked_at = now()
    where
      (
        select
          moves
        from
          permitted
      )
      and grants.client_id = $1
      and grants.revoked_at is null
  ),
  ended_requests as (
    update pushed_requests
    set
      completed_at = now()
    where
      (
        select
          moves
        from
          permitted
      )
      and pushed_requests.client_id = $1
      and completed_at is null
  )
select
  change_client (
    client_id,
    by_admin => false,
    changes => $10::jsonb || jsonb_build_object(
      'name',
      $3::text,
      'site_domain',
      $4::text,
      'redirect_uris',
      $5::text[],
      'scopes',
      $6::text[],
      'homepage_uri',
      case
        when check_site_uri ($7::text, $4) is null then $7::text
      end,
      'logo_uri',
      case
        when check_site_uri ($8::text, $4) is null then $8::text
      end,
      'grant_types',
      $9::text[],
      'policy_uri',
      case
        when check_site_uri ($11::text, $4) is null then $11::text
      end,
      'tos_uri',
      case
        when check_site_uri ($12::text, $4) is null then $12::text
      end,
      'required_scopes',
      common_scopes (required_scopes, $6, $6)
    )
  ) as client_id
from
  permitted
