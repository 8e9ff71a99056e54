with
  allowed as (
    select
      requests.*,
      grants.client_id,
      (sessions.data ->> 'provider_session_id')::bigint as provider_session_id
    from
      (
        select
          code_sha256,
          sid_sha256,
          grant_id,
          redirect_uri,
          redirect_uri_sent,
          code_challenge,
          binding,
          scope,
          choices,
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
            $2::bytea[],
            $3::bigint[],
            $4::text[],
            $5::boolean[],
            $6::text[],
            $7::text[],
            $8::text[],
            $9::text[],
            $10::text[],
            $11::text[],
            $12::boolean[],
            $13::text[],
            $14::integer[],
            $15::text[],
            $16::integer[]
          ) with ordinality parameters (
            code_sha256,
            sid_sha256,
            grant_id,
            redirect_uri,
            redirect_uri_sent,
            code_challenge,
            binding,
            scope,
            choices,
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
      join sessions on sessions.sid_sha256 = requests.sid_sha256
      join users on users.user_id = sessions.user_id
    where
      grants.revoked_at is null
      and coalesce(sessions.begun_after = coalesce(users.sessions_ended_at, '-infinity'), true)
    for key share of
      grants
    for key share of
      sessions skip locked
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
        choices,
        asked_scopes,
        requested_scope,
        gives_username,
        resources,
        expires_at,
        auth_time,
        acr,
        provider_session_id
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
      choices::jsonb,
      string_to_array(asked_scope, ' '),
      requested_scope,
      gives_username,
      string_to_array(resources, ' '),
      now() + make_interval(secs => ttl),
      case
        when auth_time is not null then least(auth_time::timestamptz, now())
      end,
      acr,
      provider_session_id
    from
      allowed
  )
select
  position,
  true as is_open
from
  allowed
