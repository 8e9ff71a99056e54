insert into
  audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
values
  ($1, $2, $3, $4, $5, $6, $7, acting_administrator ($8::bytea))
