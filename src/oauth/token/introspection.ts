import type { RequestHandler } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { isPublic } from '../../clients/client.ts';
import type { Client } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { confirmationOf, tokenTypeOf } from '../../lib/binding.ts';
import { OAuthError } from '../../lib/errors.ts';
import { revealedUsername, usernameScope } from '../../lib/profile.ts';
import { thisServer } from '../../lib/resource.ts';
import { writeScope } from '../../lib/scope.ts';
import { confirmServer } from '../../postgres/database.ts';
import { answer, answerJson } from '../../web/answers.ts';
import { arrivalOf, traceOf } from '../../web/request-log.ts';
import { authorizationDetails } from '../choice/authorization-details.ts';
import { claimsOf } from '../claims/claims.ts';
import { readClientAndToken } from './client-and-token.ts';
import { keyOfAccessToken, readPresentedToken } from './credential-keys.ts';
import { limitGuesses } from './guessed-tokens.ts';
import {
  type IntrospectedAccessToken,
  introspectAccessToken,
  introspectRefreshToken,
} from './introspected-tokens.sql.ts';
import { signInClaims } from './jwt-token.ts';
import { sign } from './signing-keys.ts';

/** The type of a signed answer, which proves to others what this server said [9701 §5]. */
const typ = 'token-introspection+jwt';

/** RFC 7662; signed for a client that prefers that. A client may introspect its own tokens, the server of a resource the access tokens for it. */
export const introspection =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, token } = await readClientAndToken(deps, req, res);
    if (isPublic(client)) {
      throw new OAuthError(
        'unauthorized_client',
        'introspection is for clients that authenticate, by a secret, a key or a certificate',
      );
    }
    const introspected = await introspect(deps, client, token);
    if (!introspected.active) {
      await confirmServer(deps.database, arrivalOf(res));
      await limitGuesses(deps, client, token, traceOf(req, res));
    }
    if (req.accepts(['application/json', `application/${typ}`]) !== `application/${typ}`) {
      return answerJson(res, 200, introspected);
    }
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: deps.config.issuer, aud: client.client_id, iat, token_introspection: introspected };
    answer(res, 200, `application/${typ}`, await sign(deps, claims, typ, traceOf(req, res)));
  };

/** What the client may know about a token. */
async function introspect(
  deps: Deps,
  client: Client,
  token: string,
): Promise<{ active: boolean; [claim: string]: unknown }> {
  const found = await findToken(deps, token);
  const maySee = found?.client_id === client.client_id || (found?.access && isServerOf(found.access, client));
  // a resource server may take an empty scope for an unlimited one, so a token without scopes counts as inactive
  if (!found || found.scopes.length === 0 || !maySee) return { active: false };
  return {
    active: true,
    scope: writeScope(await findScopeCatalogue(deps.database), found.scopes),
    authorization_details: authorizationDetails(found.choices),
    client_id: found.client_id,
    username: found.scopes.includes(usernameScope) ? revealedUsername(found, found.scopes) : undefined,
    token_type: found.access && tokenTypeOf(found.binding),
    cnf: confirmationOf(found.binding),
    // a token that names no resource is not bound to one
    aud: found.access?.resource === thisServer ? undefined : found.access?.resource,
    exp: found.exp,
    iat: found.iat,
    sub: found.sub,
    iss: deps.config.issuer,
    ...signInClaims(deps.config, found),
    ...(await claimsOf(deps, found.sub, found.scopes)),
  };
}

async function findToken(deps: Deps, token: string) {
  const accessKey = await keyOfAccessToken(deps, token);
  const access = accessKey && (await introspectAccessToken(deps.database, accessKey));
  if (access) return { ...access, access };
  const presented = readPresentedToken(deps, token);
  const refresh = presented && (await introspectRefreshToken(deps.database, presented));
  return refresh ? { ...refresh, access: undefined } : undefined;
}

/** Whether the client is a server of the resource that the token is for. */
function isServerOf({ resource, resource_client_id }: IntrospectedAccessToken, client: Client): boolean {
  return resource === thisServer ? client.resource_server : resource_client_id === client.client_id;
}
