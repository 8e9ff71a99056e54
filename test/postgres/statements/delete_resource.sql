with
  deleted as (
    delete from resources
    where
      resource = $1
      and (
        $2::jsonb is null
        or jsonb_build_object('scopes', scopes, 'client_id', client_id, 'token_format', token_format) = $2
      )
    returning
      resource
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $3::text,
      coalesce($4::integer, null),
      $5::text,
      coalesce($6::text, null),
      $7,
      $8,
      acting_administrator ($9::bytea)
    from
      deleted
    limit
      1
  )
select
  resource
from
  deleted
