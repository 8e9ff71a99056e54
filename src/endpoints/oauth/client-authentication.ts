import type { Request } from 'express';
import { type ClientCredentials, invalidClient } from '../../grants/client.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { decodeFormValue, type Parameters } from '../../protocol/parameters.ts';
import { digestOf } from '../../protocol/secrets.ts';
import { misplaced, queryOf } from '../parameters.ts';

interface Presented {
  client_id: string | undefined;
  client_secret: string | undefined;
}

/**
 * Reads what the client presents, by HTTP Basic or in the body [6749 §2.3.1]; whether it is right, the change itself
 * verifies. Presented in both places it must agree, so that nobody can act as one client and be logged as another.
 */
export function readClientCredentials(req: Request, parameters: Parameters): ClientCredentials {
  if (/[?&]client_secret=/.test(req.url)) throw new OAuthError('invalid_request', `client_secret ${misplaced}`);
  const basic = readBasic(req.headers.authorization);
  const body = { client_id: once(parameters, 'client_id'), client_secret: once(parameters, 'client_secret') };
  if (basic && (differs(basic, body, 'client_id') || differs(basic, body, 'client_secret'))) {
    throw new OAuthError('invalid_request', 'the client credentials in the header and in the body disagree');
  }
  const { client_id, client_secret } = basic ?? body;
  if (!client_id) throw noClient(req, basic !== undefined);
  return {
    client_id,
    secret_sha256: client_secret === undefined ? null : digestOf(client_secret),
    by_basic: basic !== undefined,
  };
}

function noClient(req: Request, by_basic: boolean): OAuthError {
  if (queryOf(req)['client_id'] === undefined) return invalidClient(by_basic, 'client_id missing');
  return new OAuthError('invalid_request', `client_id ${misplaced}`);
}

const malformed = 'Authorization header malformed';

/** Split at the first colon, then each half decoded as a form value, for both may contain colons and worse. */
export function readBasic(header: string | undefined): Presented | undefined {
  if (header === undefined) return undefined;
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const cut = decoded.indexOf(':');
  if (cut < 1 || decoded.includes('\uFFFD')) throw invalidClient(true, malformed);
  return {
    client_id: decodeHalf(decoded.slice(0, cut)),
    client_secret: decodeHalf(decoded.slice(cut + 1)) || undefined,
  };
}

function decodeHalf(half: string): string {
  try {
    return decodeFormValue(half, 'the Authorization header');
  } catch (error) {
    // a secret with a bare % was not encoded by its sender, and cannot be right
    throw error instanceof OAuthError ? invalidClient(true, malformed) : error;
  }
}

function differs(basic: Presented, body: Presented, name: keyof Presented): boolean {
  return body[name] !== undefined && body[name] !== basic[name];
}

function once(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  if (Array.isArray(value)) throw new OAuthError('invalid_request', `${name} is sent more than once`);
  if (value !== undefined && value.length > 512) throw new OAuthError('invalid_request', `${name} is too long`);
  return value;
}
