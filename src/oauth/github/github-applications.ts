import type { Request, RequestHandler, Response } from 'express';
import { authenticateClient, isPublic } from '../../clients/client.ts';
import { readClientCredentials } from '../../clients/client-authentication.ts';
import type { Client } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import { revealedUsername, usernameScope } from '../../lib/profile.ts';
import { thisServer } from '../../lib/resource.ts';
import { credentialKey, isSecret } from '../../lib/secrets.ts';
import { confirmServer } from '../../postgres/database.ts';
import { answerJson, answerWithoutBody } from '../../web/answers.ts';
import { arrivalOf, traceOf } from '../../web/request-log.ts';
import { bodyParameters, readBody } from '../../web/request-parameters.ts';
import { shownAccessToken } from '../../web/request-schemas.ts';
import { limitGuesses } from '../token/guessed-tokens.ts';
import { type IntrospectedAccessToken, introspectAccessToken } from '../token/introspected-tokens.sql.ts';
import { endGrant, revokeWithFamily } from '../token/revocation.ts';

// What GitHub offers to an application about its own tokens, at /applications/CLIENT_ID/token and /grant.

interface OwnToken {
  client: Client;
  access_token: string;
  token: IntrospectedAccessToken;
}

/** The active token of the client that authenticates; any other token, or another client in the path, is not found. */
async function readOwnToken(deps: Deps, req: Request, res: Response): Promise<OwnToken> {
  const parameters = bodyParameters(req);
  const trace = traceOf(req, res);
  const credentials = await readClientCredentials(deps, req, {}, trace);
  const { access_token } = readBody(shownAccessToken, req, parameters);
  const client = await authenticateClient(deps, credentials, trace);
  const token =
    isSecret('access_token', access_token) && (await introspectAccessToken(deps.database, credentialKey(access_token)));
  const isUsable = token && token.resource === thisServer && (token.gives_username || token.scopes.length > 0);
  const isOwn =
    isUsable &&
    !isPublic(client) &&
    token.client_id === client.client_id &&
    req.params['client_id'] === client.client_id;
  if (!token) await limitGuesses(deps, client, access_token, trace);
  if (isOwn) return { client, access_token, token };
  await confirmServer(deps.database, arrivalOf(res));
  throw noSuchToken();
}

const noSuchToken = () => new OAuthError('not_found', 'this application has no such token');

/** Whether a token is active, and what it allows. */
export const checkToken =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, access_token, token } = await readOwnToken(deps, req, res);
    // whoever asks lets the bearer in, and a bound token needs a proof of its key
    if (token.binding !== null) throw noSuchToken();
    answerJson(res, 200, {
      token: access_token,
      app: {
        client_id: client.client_id,
        name: client.name,
        url: client.homepage_uri ?? `https://${client.site_domain}`,
      },
      scopes: token.scopes,
      user: {
        id: token.user_id,
        login:
          token.gives_username || token.scopes.includes(usernameScope) ? revealedUsername(token, token.scopes) : null,
      },
      created_at: new Date(token.iat * 1000).toISOString(),
      expires_at: new Date(token.exp * 1000).toISOString(),
    });
  };

/** Revokes the token with its family: software written for GitHub expects that nothing of it can be refreshed. */
export const deleteToken =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, access_token } = await readOwnToken(deps, req, res);
    await revokeWithFamily(deps, client, access_token, traceOf(req, res));
    answerNothing(res);
  };

/** Revokes all that the person has allowed the application. */
export const deleteGrant =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { token } = await readOwnToken(deps, req, res);
    await endGrant(deps, traceOf(req, res), token);
    answerNothing(res);
  };

function answerNothing(res: Response): void {
  answerWithoutBody(res, 204);
}
