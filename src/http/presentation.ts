import type { Request } from 'express';
import type { Config } from '../config.ts';
import { type ErrorCode, OAuthError } from '../protocol/errors.ts';
import type { Dialect } from './dialect.ts';
import { bodyParameters, isForm, queryParameters } from './parameters.ts';

/** The attributes of a challenge [6750 §3]. */
export interface Fault {
  code: ErrorCode;
  description: string;
  /** the scope that the resource requires */
  scope?: string;
}

/** A way to present an access token. Everything that depends on it is here, so that a new one (DPoP) is a new value. */
export interface Presentation {
  /** in token responses and introspection [6749 §7.1] */
  readonly token_type: string;
  /** request headers that carry it: they must not be repeated, and cross-origin requests may send them */
  readonly headers: readonly string[];
  /** its members of the protected resource metadata [9728 §2] */
  readonly metadata: Readonly<Record<string, readonly string[]>>;
  /** every token that the request presents in this way; more than one is an error */
  tokensIn(req: Request, dialect: Dialect): string[];
  /** a value of WWW-Authenticate; without `fault` for a request that presents no token [6750 §3.1] */
  challenge(resource_metadata: string, fault?: Fault): string;
}

/** RFC 6750. */
export const bearer: Presentation = {
  token_type: 'Bearer',
  headers: ['Authorization'],
  metadata: { bearer_methods_supported: ['header', 'body', 'query'] },
  tokensIn(req, dialect) {
    const form = isForm(req) ? bodyParameters(req) : {};
    return [bearerHeader(req, dialect), queryParameters(req)['access_token'], form['access_token']]
      .flat()
      .filter((token) => token !== undefined);
  },
  challenge(resource_metadata, fault) {
    const parameters = {
      ...(fault && { error: fault.code, error_description: fault.description }),
      ...(fault?.scope && { scope: fault.scope }),
      resource_metadata,
    };
    const pairs = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
    return `Bearer ${pairs.join(', ')}`;
  },
};

/** The scheme in any letter case, one or more spaces, one token [6750 §2.1]; undefined for another scheme. */
function bearerHeader({ headers: { authorization = '' } }: Request, dialect: Dialect): string | undefined {
  const scheme = dialect === 'github' ? /^(?:Bearer|token)(?![\w-])(.*)$/is : /^Bearer(?![\w-])(.*)$/is;
  const [, rest] = scheme.exec(authorization) ?? [];
  if (rest === undefined) {
    const isToken = /^token\s/i.test(authorization);
    if (isToken) throw new OAuthError('invalid_request', 'the Authorization header must say Bearer, not token');
    return undefined;
  }
  const [, token] = /^ +([\w.~+/-]+=*)$/.exec(rest) ?? [];
  if (token === undefined) throw new OAuthError('invalid_request', 'the Authorization header is malformed');
  return token;
}

export const presentations: readonly Presentation[] = [bearer];

export const presentationHeaders = [...new Set(presentations.flatMap(({ headers }) => headers))];

/** Names the metadata of the resource, from which a client that knows nothing else finds this server [9728 §5.1]. */
export function challengeHeader({ issuer, base }: Config, fault?: Fault): { 'WWW-Authenticate': string } {
  const metadata = `${new URL(issuer).origin}/.well-known/oauth-protected-resource${base}`;
  return { 'WWW-Authenticate': presentations.map((one) => one.challenge(metadata, fault)).join(', ') };
}
