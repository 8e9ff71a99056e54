import type { Request } from 'express';
import { type ClientCredentials, invalidClient } from '../../grants/client.ts';
import { type BasicCredentials, readBasic } from '../../http/basic.ts';
import { misplaced, queryOf } from '../../http/parameters.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { digestOf } from '../../protocol/secrets.ts';

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

function differs(basic: BasicCredentials, body: BasicCredentials, name: keyof BasicCredentials): boolean {
  return body[name] !== undefined && body[name] !== basic[name];
}

function once(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  if (Array.isArray(value)) throw new OAuthError('invalid_request', `${name} is sent more than once`);
  if (value !== undefined && value.length > 512) throw new OAuthError('invalid_request', `${name} is too long`);
  return value;
}
