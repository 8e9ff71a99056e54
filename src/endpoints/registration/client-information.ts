import type { Deps } from '../../deps.ts';
import type { Registered } from '../../grants/self-registration.ts';
import { type ScopeCatalogue, writeScope } from '../../protocol/scope.ts';

/** All that is registered about the client [7591 §3.2.1]. */
export function clientInformation(
  { config }: Deps,
  { client, client_secret, registration_access_token }: Registered,
  catalogue: ScopeCatalogue,
): object {
  return {
    client_id: client.client_id,
    client_id_issued_at: Math.floor(client.created_at.getTime() / 1000),
    ...(client_secret !== null && { client_secret, client_secret_expires_at: 0 }),
    registration_access_token,
    registration_client_uri: `${config.issuer}/register/${client.client_id}`,
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    client_uri: client.homepage_uri ?? undefined,
    logo_uri: client.logo_uri ?? undefined,
    scope: writeScope(catalogue, client.scopes),
    grant_types: client.grant_types,
    response_types: ['code'],
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    jwks: client.jwks ?? undefined,
    jwks_uri: client.jwks_uri ?? undefined,
    dpop_bound_access_tokens: client.token_binding === 'dpop',
  };
}
