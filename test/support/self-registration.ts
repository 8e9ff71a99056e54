import { createInvitation } from '../../src/clients/invitations.sql.ts';
import { createSecret, digestOf } from '../../src/lib/secrets.ts';
import type { Database } from '../../src/postgres/database.ts';
import { recorded } from './recorded.ts';

export const metadata = {
  client_name: 'App',
  redirect_uris: ['https://app.example/cb'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'user:name',
};

export interface Registration {
  client_id: string;
  client_secret?: string;
  registration_client_uri: string;
  registration_access_token: string;
  [member: string]: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** an error has other members */
  body: Registration;
}

/** A JSON request with a bearer token; a body that is a string is sent as it is. */
export async function sendJson(url: string, method: string, body?: unknown, token?: string): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

/** A registration that is accepted, with changes; undefined leaves a member out. */
export function register(origin: string, changes: Record<string, unknown> = {}, token?: string): Promise<Answer> {
  return sendJson(`${origin}/register`, 'POST', { ...metadata, ...changes }, token);
}

/** An initial access token. */
export async function invite(database: Database, uses = 1): Promise<string> {
  const token = createSecret('initial_access_token');
  await createInvitation(database, { token_sha256: digestOf(token), uses, days: 1 }, recorded('invitation_created'));
  return token;
}
