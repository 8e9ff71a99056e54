with
  shown as (
    select
      client_id
    from
      clients
    where
      client_id = $1
      and deleted_at is null
      and jsonb_build_object(
        'name',
        name,
        'site_domain',
        site_domain,
        'redirect_uris',
        redirect_uris,
        'scopes',
        scopes,
        'required_scopes',
        required_scopes,
        'homepage_uri',
        homepage_uri,
        'logo_uri',
        logo_uri,
        'policy_uri',
        policy_uri,
        'tos_uri',
        tos_uri,
        'scope_reasons',
        scope_reasons
      ) = $4
    for update
  )
select
  change_client (client_id, $2, by_admin => $3)
from
  shown
