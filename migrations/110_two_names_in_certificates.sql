-- A certificate names a client by its subject or a host name [8705 §2.1.2]; nobody uses the other names.
alter table clients
  drop column tls_client_auth_san_uri,
  drop column tls_client_auth_san_ip,
  drop column tls_client_auth_san_email;
drop function if exists is_ip_address;
