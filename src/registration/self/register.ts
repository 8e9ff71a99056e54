import type { Request, RequestHandler } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { isPublic } from '../../clients/client.ts';
import { harmlessScopes, readMetadata, scopeIn, withoutNull } from '../../clients/client-metadata.ts';
import {
  acceptRegistration,
  freeSelfRegistrations,
  invalidRegistrationToken,
  type Registered,
  requireInvitation,
} from '../../clients/self-registration.ts';
import type { SelfRegisteredClient } from '../../clients/self-registrations.sql.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { statedColumns } from '../../lib/client-members.ts';
import { OAuthError, tooManyRequests } from '../../lib/errors.ts';
import { algorithm } from '../../lib/jwt.ts';
import { networkOf } from '../../lib/network.ts';
import { type ScopeCatalogue, writeScope } from '../../lib/scope.ts';
import { isSecret } from '../../lib/secrets.ts';
import { bearerHeader } from '../../oauth/resource/bearer.ts';
import { answerJson } from '../../web/answers.ts';
import { traceOf } from '../../web/request-log.ts';
import { jsonBody } from '../../web/request-parameters.ts';

/** The endpoint for dynamic client registration [7591 §3.1]: with an initial access token, or open to everybody. */
export const register =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const trace = traceOf(req, res);
    const isOpen = deps.config.registration_endpoint === 'open';
    if (isOpen) await limitRegistrations(deps, trace);
    const token = isOpen ? undefined : readRegistrationToken(req, 'initial_access_token');
    if (token !== undefined) await requireInvitation(deps, trace, token);
    const members = withoutNull(jsonBody(req));
    const catalogue = await findScopeCatalogue(deps.database, scopeIn(members));
    const metadata = readMetadata(deps.config, members, catalogue, harmlessScopes(catalogue));
    const registered = await acceptRegistration(deps, trace, metadata, token);
    answerJson(res, 201, clientInformation(deps, registered, catalogue));
  };

/** Limits registrations and changes together, since each is written to the audit trail. */
export async function limitRegistrations({ database }: Deps, { address }: Trace): Promise<void> {
  const limit = {
    key: `self-registration ${networkOf(address ?? '')}`,
    free: freeSelfRegistrations,
    pause: 10,
    longest: 900,
  };
  const wait = await countAttempt(database, limit);
  if (wait > 0) throw tooManyRequests(wait);
}

/** Reads the token of a registration from the Authorization header only: in a URL it would be logged. */
export function readRegistrationToken(
  req: Request,
  kind: 'initial_access_token' | 'registration_access_token',
): string {
  const token = bearerHeader(req, 'rfc');
  if (token === undefined) {
    throw new OAuthError('invalid_token', 'a token is needed in the Authorization header', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  if (!isSecret(kind, token)) throw invalidRegistrationToken('token malformed or of another kind');
  return token;
}

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
    token_endpoint_auth_methods_supported: client.offered_methods ?? undefined,
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
