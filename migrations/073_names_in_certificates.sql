-- The other names by which an authority can know a client [8705 §2.1.2]. The version before this one refuses a client with such a
-- name: it finds neither of the two that it knows.
alter table clients
  add column tls_client_auth_san_uri text,
  add column tls_client_auth_san_ip text,
  add column tls_client_auth_san_email text;
