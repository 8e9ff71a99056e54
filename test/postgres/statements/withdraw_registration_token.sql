with
  withdrawn as (
    update self_registrations
    set
      token_sha256 = null
    where
      token_sha256 = $1
    returning
      client_id
  ),
  token_leaked as (
    insert into
      audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
    select
      'token_leaked',
      null::integer,
      client_id,
      null,
      'registration access token',
      $2,
      $3,
      acting_administrator ($4::bytea)
    from
      withdrawn
  )
select
  client_id
from
  withdrawn
