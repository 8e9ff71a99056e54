with
  changed as (
    select
      client_id
    from
      change_client ($1, $2, by_admin => true, secret_sha256 => $3) client_id
    where
      client_id is not null
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
      changed
    limit
      1
  )
select
  client_id
from
  changed
