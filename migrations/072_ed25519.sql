-- Ed25519 has a name of its own beside EdDSA [9864 §2.2].
alter table clients
  drop constraint clients_request_object_signing_alg,
  add constraint clients_request_object_signing_alg
    check (request_object_signing_alg in ('ES256', 'PS256', 'EdDSA', 'Ed25519'));
