with
  allowed as (
    select
      requests.*,
      grants.client_id,
      (sessions.data ->> 'provider_session_id')::bigint as provider_session_id
    from
      (
        select
          request_sha256,
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
            $3::bytea[],
            $4::bigint[],
            $5::text[],
            $6::boolean[],
            $7::text[],
            $8::text[],
            $9::text[],
            $10::text[],
            $11::text[],
            $12::text[],
            $13::boolean[],
            $14::text[],
            $15::integer[],
            $16::text[],
            $17::integer[]
          ) with ordinality parameters (
            request_sha256,
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
  answered as (
    update pushed_requests pushed
    set
      completed_at = now()
    from
      allowed requests
    where
      pushed.request_sha256 = requests.request_sha256
      and pushed.client_id = requests.client_id
      and pushed.completed_at is null
      and (
        pushed.expires_at > now()
        or pushed.opened_at > now() - interval '1 hour'
      )
    returning
      requests.position
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
      join answered using (position)
  )
select
  position,
  answered.position is not null as is_open
from
  allowed
  left join answered using (position)
