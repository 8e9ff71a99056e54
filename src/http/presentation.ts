import type { Request } from 'express';
import { type ErrorCode, OAuthError } from '../protocol/errors.ts';
import type { Dialect } from './dialect.ts';
import { bodyOf, isForm, queryOf } from './parameters.ts';

/** What a challenge tells a client about the request that was refused. */
export interface Fault {
  code: ErrorCode;
  description: string;
  /** the scope that the request needs */
  scope?: string;
}

/** A way in which requests present their access token, with everything that other files have to know about it. */
export interface Presentation {
  /** as token responses and introspection name it [6749 §7.1] */
  readonly token_type: string;
  /** the request headers it is made of: none may come twice, and pages of other sites may send them */
  readonly headers: readonly string[];
  /** what the metadata of the resource says about it [9728 §2] */
  readonly metadata: Readonly<Record<string, readonly string[]>>;
  /** all that a request presents in this way */
  tokensIn(req: Request, dialect: Dialect): string[];
  /** a value of WWW-Authenticate; without a fault for a request that presents nothing */
  challenge(fault?: Fault): string;
}

/** RFC 6750. */
export const bearer: Presentation = {
  token_type: 'Bearer',
  headers: ['Authorization'],
  metadata: { bearer_methods_supported: ['header', 'body', 'query'] },
  tokensIn(req, dialect) {
    const form = isForm(req) ? bodyOf(req) : {};
    return [bearerHeader(req, dialect), queryOf(req)['access_token'], form['access_token']]
      .flat()
      .filter((token) => token !== undefined);
  },
  challenge(fault) {
    if (!fault) return 'Bearer';
    const { code, description, scope } = fault;
    const parameters = [
      `error="${code}"`,
      `error_description="${description}"`,
      ...(scope ? [`scope="${scope}"`] : []),
    ];
    return `Bearer ${parameters.join(', ')}`;
  },
};

/** The scheme in any case, one or more spaces, one token [6750 §2.1]. Credentials of another scheme are no bearer token. */
function bearerHeader({ headers: { authorization = '' } }: Request, dialect: Dialect): string | undefined {
  const scheme = dialect === 'github' ? /^(?:Bearer|token)(?![\w-])(.*)$/is : /^Bearer(?![\w-])(.*)$/is;
  const [, rest] = scheme.exec(authorization) ?? [];
  if (rest === undefined) return undefined;
  const [, token] = /^ +([\w.~+/-]+=*)$/.exec(rest) ?? [];
  if (token === undefined) throw new OAuthError('invalid_request', 'the Authorization header is malformed');
  return token;
}

export const presentations: readonly Presentation[] = [bearer];

export const presentationHeaders = [...new Set(presentations.flatMap(({ headers }) => headers))];

export function challengeHeader(fault?: Fault): { 'WWW-Authenticate': string } {
  return { 'WWW-Authenticate': presentations.map((presentation) => presentation.challenge(fault)).join(', ') };
}
