with
  created as (
    insert into
      invitations (token_sha256, uses_left, expires_at)
    values
      ($1, $2, now() + make_interval(days => $3))
    returning
      invitation_id,
      uses_left,
      created_at,
      expires_at
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $4::text,
      coalesce($5::integer, null),
      $6::text,
      coalesce($7::text, 'invitation ' || invitation_id),
      $8,
      $9,
      acting_administrator ($10::bytea)
    from
      created
    limit
      1
  )
select
  invitation_id,
  uses_left,
  created_at,
  expires_at
from
  created
