import { randomBytes } from 'node:crypto';
import { codeChallengeOf } from '../lib/pkce.ts';
import type { AuthorizationDetail } from '../oauth/choice/authorization-details.ts';
import type { PlaygroundClient } from './demo-client.ts';
import { createDpopKey } from './dpop-key.ts';
import type { Pending } from './flow-memory.ts';
import type { HttpExchange, HttpParameter, PlaygroundMode } from './playground.view.ts';

export type HttpRequest = HttpExchange['request'];

export function newPending(mode: PlaygroundMode, details: Partial<Pending> = {}): Pending {
  const key = mode === 'bound' ? createDpopKey() : undefined;
  return { state: newSecret(12), code_verifier: newSecret(32), key, ...details };
}

/** 32 bytes give 43 characters, the minimum of a code_verifier [7636 §4.1]. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** The parameters of the authorization request [6749 §4.1.1; 7636 §4.3]. */
export function authorizationQuery(client: PlaygroundClient, pending: Pending): HttpParameter[] {
  return parameters({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: client.scopes.join(' '),
    state: pending.state,
    code_challenge: codeChallengeOf(pending.code_verifier),
    code_challenge_method: 'S256',
    prompt: pending.prompt,
  });
}

/** Makes a POST with client authentication by HTTP Basic; client_id and client_secret are form-encoded first [6749 §2.3.1]. */
export function formRequest(
  url: string,
  client: PlaygroundClient,
  form: Record<string, string | undefined>,
): HttpRequest {
  const credentials = [client.client_id, client.client_secret].map(encodeURIComponent).join(':');
  const headers = parameters({
    Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  return { method: 'POST', url, headers, body: parameters(form) };
}

/** The token in the header, which unlike a URL is in no log and no browser history [6750 §2.1, §5.3; 9449 §7.1]. */
export function tokenRequest(url: string, access_token: string, scheme: 'Bearer' | 'DPoP'): HttpRequest {
  return { method: 'GET', url, headers: parameters({ Authorization: `${scheme} ${access_token}` }) };
}

export function parameters(values: Record<string, string | undefined>): HttpParameter[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** What the person has chosen, as an answer says it in authorization_details [9396 §7]; undefined where that says nothing. */
export function chosenIn(exchange: HttpExchange | undefined): AuthorizationDetail[] | undefined {
  const details = parameterOf(exchange?.response?.members, 'authorization_details');
  return details === undefined ? undefined : JSON.parse(details);
}

export function encode(pairs: readonly HttpParameter[]): string {
  return new URLSearchParams(pairs.map(({ name, value }): [string, string] => [name, value])).toString();
}

export function parameterOf(pairs: readonly HttpParameter[] | undefined, name: string): string | undefined {
  return pairs?.find((pair) => pair.name === name)?.value;
}
