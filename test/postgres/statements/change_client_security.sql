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
        'token_endpoint_auth_method',
        token_endpoint_auth_method,
        'token_endpoint_auth_signing_alg',
        token_endpoint_auth_signing_alg,
        'jwks',
        jwks,
        'jwks_uri',
        jwks_uri,
        'tls_client_auth_subject_dn',
        tls_client_auth_subject_dn,
        'tls_client_auth_san_dns',
        tls_client_auth_san_dns,
        'token_binding',
        token_binding,
        'require_pushed_authorization_requests',
        require_pushed_authorization_requests,
        'require_signed_request_object',
        require_signed_request_object,
        'request_object_signing_alg',
        request_object_signing_alg,
        'profile',
        profile
      ) = $6
    for update
  ),
  ticket as (
    insert into
      used_tickets (ticket_sha256)
    select
      $5
    from
      shown
    on conflict do nothing
    returning
      ticket_sha256
  ),
  saved as (
    select
      client_id,
      has_secret,
      save_client (
        client_id,
        $2,
        by_admin => $3,
        secret_sha256 => (
          select
            $4::bytea
          from
            ticket
        )
      ) as is_changed
    from
      shown
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $7::text,
      coalesce($8::integer, null),
      $9::text,
      coalesce($10::text, null),
      $11,
      $12,
      acting_administrator ($13::bytea)
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
  ),
  with_first_secret as (
    select
      client_id
    from
      saved
    where
      not has_secret
      and $2 ->> 'token_endpoint_auth_method' ~ '^client_secret_'
  ),
  client_secret_added as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'client_secret_added',
      $8,
      client_id,
      null,
      null,
      $11,
      $12,
      acting_administrator ($13::bytea)
    from
      with_first_secret
  )
select
  is_changed
from
  saved
