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
        'token_endpoint_auth_method',
        token_endpoint_auth_method,
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
  )
select
  change_client (
    client_id,
    $2,
    by_admin => $3,
    secret_sha256 => (
      select
        $4::bytea
      from
        ticket
    )
  )
from
  shown
