with
  withdrawn as (
    delete from invitations
    where
      token_sha256 = $1
    returning
      invitation_id
  ),
  token_leaked as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'token_leaked',
      null::integer,
      null,
      null,
      'invitation ' || invitation_id,
      $2,
      $3,
      acting_administrator ($4::bytea)
    from
      withdrawn
  )
select
  invitation_id
from
  withdrawn
