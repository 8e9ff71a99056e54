with
  found as (
    select
      resource,
      (scopes, client_id, token_format) is distinct from (expand_scopes ($2), $3::text, $4::text) as is_other
    from
      resources,
      (
        select
          pg_advisory_xact_lock(hashtextextended (format('resource %s', rtrim($1, '/')), 0))
      ) locked
    where
      resource = $1
      and resources.disabled_at is null
      and (
        $5::jsonb is null
        or jsonb_build_object('scopes', scopes, 'client_id', client_id, 'token_format', token_format) = $5
      )
    for update of
      resources
  ),
  changed as (
    select
      register_resource (resource, scopes => $2, client_id => $3, token_format => $4) as resource,
      is_other
    from
      found
  ),
  other as (
    select
      resource
    from
      changed
    where
      is_other
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $6::text,
      coalesce($7::integer, null),
      $8::text,
      coalesce($9::text, null),
      $10,
      $11,
      acting_administrator ($12::bytea)
    from
      other
    limit
      1
  )
select
  is_other
from
  changed
