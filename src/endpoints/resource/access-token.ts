import type { Request } from 'express';
import type { Deps } from '../../deps.ts';
import { noteLastUse } from '../../grants/last-use.ts';
import { explainCredential } from '../../grants/token-end.ts';
import type { Dialect } from '../../http/dialect.ts';
import { challengeHeader, presentations } from '../../http/presentation.ts';
import { answerError, type Responder, respond } from '../../http/refusals.ts';
import { type ErrorCode, OAuthError } from '../../protocol/errors.ts';
import { credentialKey, isSecret } from '../../protocol/secrets.ts';
import { type ActiveAccessToken, findActiveAccessToken } from '../../store/access-tokens.ts';

/** The active access token that a request presents; throws a refusal with its challenge otherwise [6750 §3]. */
export async function readAccessToken(deps: Deps, req: Request, dialect: Dialect): Promise<ActiveAccessToken> {
  const presented = presentations.flatMap((presentation) => presentation.tokensIn(req, dialect));
  const [token] = presented;
  if (token === undefined) {
    throw new OAuthError('invalid_token', 'an access token is needed', { headers: challengeHeader(deps.config) });
  }
  if (presented.length > 1) throw new OAuthError('invalid_request', 'the access token is sent more than once');
  const active = isSecret('access_token', token) && (await findActiveAccessToken(deps.database, credentialKey(token)));
  if (!active) throw await invalidToken(deps, token);
  await noteLastUse(deps, active.grant_to_touch);
  return active;
}

/** One description for every token that is not active; the exact reason is for the log and the owner of the client. */
async function invalidToken({ database }: Deps, token: string): Promise<OAuthError> {
  const { facts, ...details } = await explainCredential(database, 'access_token', token);
  return new OAuthError('invalid_token', 'the access token is unknown, expired or revoked', details);
}

export function requireScope(
  { config }: Deps,
  { scopes, client_id }: ActiveAccessToken,
  anyOf: readonly string[],
  scope: string,
): void {
  if (anyOf.some((member) => scopes.includes(member))) return;
  const code = 'insufficient_scope';
  const description = 'the access token does not carry the scope that is needed';
  const headers = challengeHeader(config, { code, description, scope });
  throw new OAuthError(code, description, { client_id, reason: `scope ${scope} not granted`, headers });
}

const challenged: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'invalid_token', 'insufficient_scope']);

/** JSON, with a challenge for errors about the token [6750 §3]. */
export const resourceErrors: Responder = (deps) =>
  respond(deps, (_req, res, error) => {
    if (challenged.has(error.code)) res.set({ ...challengeHeader(deps.config, error), ...error.headers });
    answerError(deps, res, error);
  });
