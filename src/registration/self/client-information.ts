import { isPublic } from '../../clients/client.ts';
import type { Registered } from '../../clients/self-registration.ts';
import type { SelfRegisteredClient } from '../../clients/self-registrations.sql.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { statedColumns } from '../../lib/client-members.ts';
import { algorithm } from '../../lib/jwt.ts';
import { type ScopeCatalogue, writeScope } from '../../lib/scope.ts';

/** Returns all that is registered about the client [7591 §3.2.1]. */
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
    ...Object.fromEntries(statedColumns.map(({ name, wire }) => [wire, client[name] ?? undefined])),
    scope: writeScope(catalogue, client.scopes),
    response_types: ['code'],
    ...securityOf(config, client),
  };
}

/** States the algorithms by which this server signs answers, although the client may have stated none. */
function securityOf(config: Config, client: SelfRegisteredClient): object {
  return {
    tls_client_certificate_bound_access_tokens: config.takes_certificates
      ? client.token_binding === 'certificate'
      : undefined,
    dpop_bound_access_tokens: client.token_binding === 'dpop',
    authorization_signed_response_alg: algorithm,
    introspection_signed_response_alg: isPublic(client) ? undefined : algorithm,
  };
}
