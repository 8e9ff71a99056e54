import type { Request } from 'express';
import { type AuthenticationMethod, type ClientCredentials, invalidClient } from '../grants/client.ts';
import { OAuthError } from '../protocol/errors.ts';
import { decodeFormValue, type Parameters } from '../protocol/parameters.ts';
import { digestOf } from '../protocol/secrets.ts';
import { misplaced, queryParameters } from './parameters.ts';

/** What one authentication method found in a request. */
interface Presented {
  client_id: string | undefined;
  client_secret?: string | undefined;
}

/** How each method reads credentials from a request [6749 §2.3.1]; undefined when the request does not use the method. */
const methods: Record<AuthenticationMethod, (req: Request, parameters: Parameters) => Presented | undefined> = {
  client_secret_basic: ({ headers }) => readBasic(headers.authorization),
  client_secret_post(_req, parameters) {
    const [client_id, client_secret] = [single(parameters, 'client_id'), single(parameters, 'client_secret')];
    return client_secret === undefined ? undefined : { client_id, client_secret };
  },
  none(_req, parameters) {
    if (single(parameters, 'client_secret') !== undefined) return undefined;
    return { client_id: single(parameters, 'client_id') };
  },
};

export const authenticationMethods = Object.keys(methods) as AuthenticationMethod[];

/**
 * Reads the credentials without verifying them: the statement that redeems or revokes does that. Credentials that are sent
 * in two ways must agree; otherwise a request could act as one client and be logged as another.
 */
export function readClientCredentials(req: Request, parameters: Parameters): ClientCredentials {
  if (/[?&]client_secret=/.test(req.url)) throw new OAuthError('invalid_request', `client_secret ${misplaced}`);
  const presented = authenticationMethods.flatMap((method) => {
    const found = methods[method](req, parameters);
    return found ? [{ method, ...found }] : [];
  });
  const [first, ...others] = presented;
  if (first && !others.every((other) => agree(first, other))) {
    throw new OAuthError('invalid_request', 'the client credentials in the header and in the body disagree');
  }
  if (!first?.client_id) throw noClient(req);
  const { client_id, method, client_secret } = first;
  return { client_id, method, secret_sha256: client_secret === undefined ? null : digestOf(client_secret) };
}

function agree(first: Presented, other: Presented): boolean {
  const { client_id = first.client_id, client_secret = first.client_secret } = other;
  return client_id === first.client_id && client_secret === first.client_secret;
}

function noClient(req: Request): OAuthError {
  if (queryParameters(req)['client_id'] === undefined) return invalidClient('none', 'client_id missing');
  return new OAuthError('invalid_request', `client_id ${misplaced}`);
}

function single(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  if (Array.isArray(value)) throw new OAuthError('invalid_request', `${name} is sent more than once`);
  if (value !== undefined && value.length > 512) throw new OAuthError('invalid_request', `${name} is too long`);
  return value;
}

const malformed = 'Authorization header malformed';

/** Splits at the first colon, then decodes each half as a form value: encoded, both may contain a colon [6749 §2.3.1]. */
export function readBasic(header: string | undefined): Presented | undefined {
  if (header === undefined) return undefined;
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const cut = decoded.indexOf(':');
  if (cut < 1 || decoded.includes('\uFFFD')) throw invalidClient('client_secret_basic', malformed);
  return {
    client_id: decodeHalf(decoded.slice(0, cut)),
    client_secret: decodeHalf(decoded.slice(cut + 1)) || undefined,
  };
}

function decodeHalf(half: string): string {
  try {
    return decodeFormValue(half, 'the Authorization header');
  } catch (error) {
    // the client sent a bare % without encoding it: its secret cannot be the registered one
    throw error instanceof OAuthError ? invalidClient('client_secret_basic', malformed) : error;
  }
}
