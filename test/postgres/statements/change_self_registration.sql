with
  permitted as (
    select
      clients.client_id,
      clients.required_scopes,
      clients.has_fixed_scopes,
      clients.site_domain <> stated.site_domain as moves
    from
      self_registrations
      join clients using (client_id)
      cross join jsonb_populate_record(null::clients, $3) stated
    where
      self_registrations.client_id = $1
      and self_registrations.token_sha256 = $2
      and clients.disabled_at is null
      and stated.scopes <@ clients.scopes
      and (
        stated.token_endpoint_auth_method = clients.token_endpoint_auth_method
        or (
          stated.token_endpoint_auth_method ~ '^client_secret_'
          and clients.secrets_sha256 <> '{}'
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
  ),
  saved as (
    select
      save_client (
        client_id,
        by_admin => false,
        changes => without_foreign_links ($3) || jsonb_build_object(
          'required_scopes',
          array(
            select
              scope
            from
              unnest(required_scopes) scope
            where
              $3 -> 'scopes' ? scope
          ),
          'has_fixed_scopes',
          has_fixed_scopes
        )
      ) as is_changed
    from
      permitted
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $4::text,
      coalesce($5::integer, null),
      $6::text,
      coalesce($7::text, null),
      $8,
      $9,
      acting_administrator ($10::bytea)
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
