import type { Task } from './load.ts';
import type { FapiKind } from './seeds/seed.ts';
import { challenge, client, scopes, verifier } from './servers/terms.ts';

export type Template = Pick<Task, 'method' | 'path' | 'headers' | 'body'>;

const form = (path: '/par' | '/token', parameters: Record<string, string>): Template => {
  const { client_id, client_secret } = client;
  return {
    method: 'POST',
    path,
    headers: {
      Authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(parameters).toString().replace('%7B%7D', '{}'),
  };
};

export const authorizationRequest = {
  response_type: 'code',
  redirect_uri: client.redirect_uri,
  scope: scopes.join(' '),
  state: 'the-state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

/** The same for all contestants whose client has a secret. */
export const requests: Readonly<Record<FapiKind, Template>> = {
  par: form('/par', authorizationRequest),
  exchange: form('/token', {
    grant_type: 'authorization_code',
    code: '{}',
    redirect_uri: client.redirect_uri,
    code_verifier: verifier,
  }),
  refresh: form('/token', { grant_type: 'refresh_token', refresh_token: '{}' }),
  resource: { method: 'GET', path: '/user', headers: { Authorization: 'Bearer {}' } },
};
