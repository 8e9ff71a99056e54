import type { Request, RequestHandler, Response } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { harmlessScopes, invalidMetadata, readMetadata, scopeIn, withoutNull } from '../../clients/client-metadata.ts';
import { changeOwnClient, deleteOwnClient, findOwnClient } from '../../clients/self-registration.ts';
import type { SelfRegisteredClient } from '../../clients/self-registrations.sql.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import { digestOf } from '../../lib/secrets.ts';
import { answerJson, answerWithoutBody } from '../../web/answers.ts';
import { traceOf } from '../../web/request-log.ts';
import { jsonBody } from '../../web/request-parameters.ts';
import { clientInformation, limitRegistrations, readRegistrationToken } from './register.ts';

// The client configuration endpoint [7592 §2]. Its answers repeat the registration access token, which the client has sent, but
// not the secret, of which only a digest is stored.

/** Reads the client of the path, if the registration access token is its own. */
async function readOwnClient(
  deps: Deps,
  req: Request,
  res: Response,
): Promise<{ client: SelfRegisteredClient; token: string }> {
  const token = readRegistrationToken(req, 'registration_access_token');
  return { token, client: await findOwnClient(deps, traceOf(req, res), String(req.params['client_id']), token) };
}

export const showRegistration =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, token } = await readOwnClient(deps, req, res);
    const registered = { client, client_secret: null, registration_access_token: token };
    answerJson(res, 200, clientInformation(deps, registered, await findScopeCatalogue(deps.database)));
  };

/** Replaces a registration: a member that is left out returns to its default, as at a registration. */
export const changeRegistration =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, token } = await readOwnClient(deps, req, res);
    const trace = traceOf(req, res);
    await limitRegistrations(deps, trace);
    const members = withoutNull(jsonBody(req));
    refuseProtected(members, client);
    const catalogue = await findScopeCatalogue(deps.database, scopeIn(members));
    const scopes = harmlessScopes(catalogue).filter((scope) => client.scopes.includes(scope));
    const metadata = readMetadata(deps.config, members, catalogue, scopes);
    const changed = await changeOwnClient(deps, trace, { before: client, token, metadata });
    const registered = { client: changed, client_secret: null, registration_access_token: token };
    answerJson(res, 200, clientInformation(deps, registered, catalogue));
  };

const issued = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
];

/**
 * Refuses members that a client cannot change: it states its own client_id, and its secret at most as it is; what this server issues it
 * does not state [7592 §2.2].
 */
function refuseProtected(members: Record<string, unknown>, { client_id, secrets_sha256 }: SelfRegisteredClient): void {
  const { client_secret } = members;
  const forbidden = issued.find((name) => name in members);
  if (forbidden) throw new OAuthError('invalid_client_metadata', `${forbidden} must not be sent`, { client_id });
  if (members['client_id'] !== client_id) throw invalidMetadata('client_id');
  if (client_secret === undefined) return;
  const isCurrent =
    typeof client_secret === 'string' && secrets_sha256.some((digest) => digest.equals(digestOf(client_secret)));
  const description = 'client_secret is not the current one';
  if (!isCurrent) throw new OAuthError('invalid_client_metadata', description, { client_id });
}

export const deleteRegistration =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, token } = await readOwnClient(deps, req, res);
    await deleteOwnClient(deps, traceOf(req, res), client.client_id, token);
    answerWithoutBody(res, 204);
  };
