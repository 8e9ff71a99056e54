import type { Task } from './load.ts';
import type { Kind } from './seeds/seed.ts';
import { client, verifier } from './servers/terms.ts';

export type Template = Pick<Task, 'method' | 'path' | 'headers' | 'body'>;

const form = (parameters: Record<string, string>): Template => {
  const { client_id, client_secret } = client;
  return {
    method: 'POST',
    path: '/token',
    headers: {
      Authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(parameters).toString().replace('%7B%7D', '{}'),
  };
};

/** The same for all contestants. */
export const requests: Readonly<Record<Kind, Template>> = {
  exchange: form({
    grant_type: 'authorization_code',
    code: '{}',
    redirect_uri: client.redirect_uri,
    code_verifier: verifier,
  }),
  refresh: form({ grant_type: 'refresh_token', refresh_token: '{}' }),
  resource: { method: 'GET', path: '/user', headers: { Authorization: 'Bearer {}' } },
};
