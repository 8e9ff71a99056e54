-- The metadata say that authorization requests must be pushed, if no client may send them otherwise.

create index if not exists clients_without_pushing on clients (client_id)
  where not require_pushed_authorization_requests and not require_signed_request_object;
