with
  invitation as (
    update invitations
    set
      uses_left = uses_left - 1
    where
      token_sha256 = $3
      and uses_left > 0
      and expires_at > now()
    returning
      invitation_id
  ),
  registered as (
    select
      keep_client (without_foreign_links ($1), 'application') as client_id
    from
      invitation
  ),
  kept as (
    insert into
      self_registrations (client_id, token_sha256)
    select
      client_id,
      $2
    from
      registered
    returning
      client_id
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
      kept
    limit
      1
  )
select
  client_id
from
  kept
