import { randomBytes } from 'node:crypto';
import type { Trace } from '../../audit/audit.sql.ts';
import {
  type ClientCredentials,
  freeProofs,
  isPublic,
  mayBeAnybody,
  proofsOf,
  useProofs,
} from '../../clients/client.ts';
import type { Client } from '../../clients/clients.sql.ts';
import { useRequestObject } from '../../clients/request-object.ts';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { OAuthError, tooManyRequests } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { type Parameters, parseForm } from '../../lib/parameters.ts';
import type { RequestObject } from '../../lib/request-object.ts';
import { digestOf } from '../../lib/secrets.ts';
import { openPushedRequest, registerPushedRequest, registerPushedRequestWithProofs } from './pushed-requests.sql.ts';

/** Seconds in which the browser must arrive here with it. */
export const pushedRequestTtl = 75;

const prefix = 'urn:ietf:params:oauth:request_uri:';

/** Keeps the parameters of a valid authorization request for its client, and answers its request_uri [9126 §2.2]. */
export async function pushRequest(
  deps: Deps,
  credentials: ClientCredentials,
  { parameters, object }: { parameters: Parameters; object: RequestObject | undefined },
  trace: Trace,
): Promise<{ request_uri: string; expires_in: number }> {
  const request_uri = prefix + randomBytes(32).toString('base64url');
  const kept = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) kept.append(name, value);
  }
  const { client_id } = credentials;
  const request = { request_sha256: digestOf(request_uri), client_id, parameters: kept.toString() };
  const answer = { request_uri, expires_in: pushedRequestTtl };
  const proofs = object ? undefined : proofsOf(credentials);
  const isRegistered =
    proofs &&
    (await registerPushedRequestWithProofs(deps.database, { ...credentials, ...request, ...proofs }, pushedRequestTtl));
  if (isRegistered) return answer;
  await useProofs(deps, credentials, trace);
  if (object) await useRequestObject(deps, client_id, object);
  await registerPushedRequest(deps.database, request, pushedRequestTtl);
  return answer;
}

/**
 * What is pushed is stored. Anybody can push in the name of a public client, so an address has a limit; a client for which no
 * administrator vouches may be anybody's, so it has one itself.
 */
export async function limitStrangers({ database }: Deps, client: Client, { address }: Trace): Promise<void> {
  if (!mayBeAnybody(client)) return;
  const limit = isPublic(client)
    ? { key: `pushed request ${networkOf(address ?? '')}`, free: 100, pause: 1, longest: 60 }
    : { key: `pushed request of ${client.client_id}`, free: freeProofs, pause: 1, longest: 60 };
  const wait = await countAttempt(database, limit);
  if (wait > 0) throw tooManyRequests(wait);
}

/** A pushed request that an authorization request refers to. */
export interface PushedRequestKey {
  request_sha256: Buffer;
  client_id: string;
}

/**
 * The request that a client pushed; every other parameter of the authorization request is ignored [9126 §4; 9101 §5]. It stays
 * open until it is answered, so that the person can reload the page or sign in first.
 */
export async function openRequest(
  { database }: Deps,
  { client_id, request_uri }: Parameters,
): Promise<{ parameters: Parameters; pushed: PushedRequestKey }> {
  if (typeof client_id !== 'string' || typeof request_uri !== 'string') {
    throw new OAuthError('invalid_request', 'request_uri needs one client_id beside it, and must be sent once');
  }
  const pushed = { request_sha256: digestOf(request_uri), client_id };
  const parameters = await openPushedRequest(database, pushed);
  if (parameters === undefined) throw invalidRequestUri();
  return { parameters: parseForm(parameters), pushed };
}

/** The refusal is never sent to the client: nothing tells where the client wants the answer. */
export function invalidRequestUri(): OAuthError {
  return new OAuthError('invalid_request_uri', 'request_uri is unknown, expired, used or of another client');
}
