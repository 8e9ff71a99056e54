-- A client may promise that it signs its requests by one algorithm only [9101 §10.5].

alter table clients
  add column request_object_signing_alg text
    constraint clients_request_object_signing_alg check (request_object_signing_alg in ('ES256', 'PS256', 'EdDSA'));
