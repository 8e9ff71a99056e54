import type { Request } from 'express';
import type { Deps } from '../../deps.ts';
import { noteUse } from '../../grants/last-use.ts';
import { explainCredential } from '../../grants/token-endings.ts';
import type { Dialect } from '../../http/dialect.ts';
import { bodyOf, isForm, queryOf } from '../../http/parameters.ts';
import type { Database } from '../../postgres/database.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { isSecret, keyOf } from '../../protocol/secrets.ts';
import { type ActiveAccessToken, findActiveAccessToken } from '../../store/access-tokens.ts';

/** The live token that a request presents, or the challenge that fits [6750 §2, §3]. */
export async function readAccessToken(deps: Deps, req: Request, dialect: Dialect): Promise<ActiveAccessToken> {
  const presented = [fromHeader(req, dialect), fromParameters(queryOf(req)), isForm(req) && fromParameters(bodyOf(req))]
    .flat()
    .filter((token) => typeof token === 'string');
  const [token] = presented;
  if (token === undefined) {
    throw new OAuthError('invalid_token', 'an access token is needed', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  if (presented.length > 1) throw new OAuthError('invalid_request', 'the access token is sent more than once');
  const active = isSecret('access_token', token) && (await findActiveAccessToken(deps.database, keyOf(token)));
  if (!active) throw await invalidToken(deps.database, token);
  await noteUse(deps, active.stale_grant_id);
  return active;
}

/** One sentence for every dead token; which death it was is for the log and the client's owner. */
async function invalidToken(database: Database, token: string): Promise<OAuthError> {
  const { facts, ...details } = await explainCredential(database, 'access_token', token);
  return new OAuthError('invalid_token', 'the access token is unknown, expired or revoked', details);
}

export function requireScope({ scopes, client_id }: ActiveAccessToken, anyOf: readonly string[], scope: string): void {
  if (anyOf.some((member) => scopes.includes(member))) return;
  const description = 'the access token does not carry the scope that is needed';
  throw new OAuthError('insufficient_scope', description, {
    client_id,
    reason: `scope ${scope} not granted`,
    headers: {
      'WWW-Authenticate': `Bearer error="insufficient_scope", error_description="${description}", scope="${scope}"`,
    },
  });
}

/** The scheme in any case, one or more spaces, one token [6750 §2.1]. Credentials of another scheme are no bearer token. */
function fromHeader(req: Request, dialect: Dialect): string | undefined {
  const { authorization } = req.headers;
  if (authorization === undefined) return undefined;
  const scheme = dialect === 'github' ? /^(?:Bearer|token)(?![\w-])(.*)$/is : /^Bearer(?![\w-])(.*)$/is;
  const [, rest] = scheme.exec(authorization) ?? [];
  if (rest === undefined) return undefined;
  const [, token] = /^ +([\w.~+/-]+=*)$/.exec(rest) ?? [];
  if (token === undefined) throw new OAuthError('invalid_request', 'the Authorization header is malformed');
  return token;
}

function fromParameters({ access_token }: Record<string, string | string[]>): string | string[] | undefined {
  return access_token;
}
