with
  allowed as (
    select
      requests.*,
      grants.client_id
    from
      (
        select
          code_sha256,
          grant_id,
          redirect_uri,
          redirect_uri_sent,
          code_challenge,
          binding,
          scope,
          asked_scope,
          requested_scope,
          gives_username,
          resources,
          ttl,
          auth_time,
          acr,
          position
        from
          unnest(
            $1::bytea[],
            $2::bigint[],
            $3::text[],
            $4::boolean[],
            $5::text[],
            $6::text[],
            $7::text[],
            $8::text[],
            $9::text[],
            $10::boolean[],
            $11::text[],
            $12::integer[],
            $13::text[],
            $14::integer[]
          ) with ordinality parameters (
            code_sha256,
            grant_id,
            redirect_uri,
            redirect_uri_sent,
            code_challenge,
            binding,
            scope,
            asked_scope,
            requested_scope,
            gives_username,
            resources,
            ttl,
            auth_time,
            acr,
            position
          )
        where
          position between 1 and 500
      ) requests
      join grants on grants.grant_id = requests.grant_id
    where
      grants.revoked_at is null
    for key share of
      grants
  ),
  issued as (
    insert into
      authorization_codes (
        code_sha256,
        grant_id,
        client_id,
        redirect_uri,
        redirect_uri_sent,
        code_challenge,
        binding,
        scopes,
        asked_scopes,
        requested_scope,
        gives_username,
        resources,
        expires_at,
        auth_time,
        acr
      )
    select
      code_sha256,
      grant_id,
      client_id,
      redirect_uri,
      redirect_uri_sent,
      code_challenge,
      binding,
      string_to_array(scope, ' '),
      string_to_array(asked_scope, ' '),
      requested_scope,
      gives_username,
      string_to_array(resources, ' '),
      now() + make_interval(secs => ttl),
      case
        when auth_time is not null then least(auth_time::timestamptz, now())
      end,
      acr
    from
      allowed
  )
select
  position,
  true as is_open
from
  allowed
