-- Clients that prove a key may ask for signed answers: as long as there is one, /jwks is not empty.

create index if not exists clients_with_keys on clients (client_id)
  where jwks is not null or jwks_uri is not null or profile is not null;
