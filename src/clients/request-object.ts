import type { Deps } from '../deps.ts';
import { clockTolerance, untimelyFault } from '../lib/client-jwt.ts';
import { OAuthError } from '../lib/errors.ts';
import { readJwt } from '../lib/jwt.ts';
import { isSameAlgorithm, keyFor } from '../lib/key-set.ts';
import { maxParameters, type Parameters } from '../lib/parameters.ts';
import { type RequestObject, verifyRequestObject } from '../lib/request-object.ts';
import { digestOfParts } from '../lib/secrets.ts';
import { findClientKey } from './client-keys.ts';
import type { ClientWithKeys } from './clients.sql.ts';
import { useProof } from './used-proofs.sql.ts';

/** The request object that a client pushes; undefined if it pushes its parameters one by one. */
export async function openRequestObject(
  deps: Deps,
  client: ClientWithKeys,
  { request }: Parameters,
): Promise<RequestObject | undefined> {
  const { client_id, request_object_signing_alg: registered } = client;
  if (request === undefined) {
    if (!client.require_signed_request_object) return undefined;
    throw new OAuthError('invalid_request', 'this client must push its request as a signed request object');
  }
  if (typeof request !== 'string') throw new OAuthError('invalid_request', 'request is sent more than once');
  const { issuer } = deps.config;
  const jwt = readJwt(request);
  const isRegistered = jwt && (registered === null || isSameAlgorithm(jwt.header.alg, registered));
  const key = isRegistered && (await findClientKey(deps, client, (keys) => keyFor(jwt.header, keys)));
  const object = key && verifyRequestObject(jwt, key, { client_id, issuer });
  if (object) return object;
  const parts = `signature, typ, iss, client_id, aud, nbf, exp, the types of its claims, and that it has no more than ${maxParameters} parameters`;
  throw new OAuthError('invalid_request_object', `request is not valid for this client and server: check ${parts}`);
}

/**
 * Uses up an object with a `jti`, which counts once. An object without a `jti` can be pushed again, by the client alone, as parameters
 * can.
 */
export async function useRequestObject(
  { database }: Deps,
  client_id: string,
  { jti, exp }: RequestObject,
): Promise<void> {
  if (jti === undefined) return;
  const proof_sha256 = digestOfParts('request object', client_id, jti);
  // the database forgets the object by its own clock, which may be ahead
  const fault = await useProof(database, { proof_sha256, expires_at: Math.ceil(exp) + clockTolerance });
  if (fault === null) return;
  const description =
    fault === 'too old' ? `request: ${untimelyFault}` : 'request was pushed before: its jti counts once';
  throw new OAuthError('invalid_request_object', description);
}
