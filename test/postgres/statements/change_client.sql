with
  shown as (
    select
      client_id,
      secrets_sha256 <> '{}' as has_secret
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
  ),
  saved as (
    select
      save_client (client_id, $2, by_admin => $3) as is_changed
    from
      shown
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $5::text,
      coalesce($6::integer, null),
      $7::text,
      coalesce($8::text, null),
      $9,
      $10,
      acting_administrator ($11::bytea)
    from
      (
        select
        from
          saved
        where
          is_changed
      ) changed
    limit
      1
  )
select
  is_changed
from
  saved
