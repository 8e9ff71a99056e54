with
  withdrawn as (
    delete from invitations
    where
      invitation_id = $1
    returning
      invitation_id
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $2::text,
      coalesce($3::integer, null),
      $4::text,
      coalesce($5::text, 'invitation ' || invitation_id),
      $6,
      $7,
      acting_administrator ($8::bytea)
    from
      withdrawn
    limit
      1
  )
select
  invitation_id
from
  withdrawn
