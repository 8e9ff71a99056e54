-- The only algorithm by which a client signs its assertions; null: any that its kind of client may use (src/clients/client-assertion.ts).
alter table clients add column token_endpoint_auth_signing_alg text
  constraint clients_token_endpoint_auth_signing_alg
  check (token_endpoint_auth_signing_alg in ('ES256', 'PS256', 'EdDSA', 'Ed25519', 'RS256'));

-- The methods among which a client that states several let this server choose, so that pages can say why it chose.
alter table clients add column offered_methods text[];

-- From now on a rule depends on how a client came, so this is also known of clients that came before it was noted.
update clients
set origin = 'application'
from self_registrations
where self_registrations.client_id = clients.client_id
  and origin is null;
update clients
set origin = 'document'
from client_documents
where client_documents.client_id = clients.client_id
  and origin is null;
-- An operator has registered the client in place of its document.
update clients
set origin = null
where origin = 'document'
  and not exists (
    select
    from client_documents
    where client_documents.client_id = clients.client_id);
