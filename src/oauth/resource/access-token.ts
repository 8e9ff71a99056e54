import type { Request } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { limitProofs } from '../../clients/client.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import type { Binding } from '../../lib/binding.ts';
import { type ErrorCode, OAuthError } from '../../lib/errors.ts';
import { demandOfScopes, isMetBy, isTooWeak } from '../../lib/step-up.ts';
import { clientAddress } from '../../web/request-log.ts';
import { noteLastUse } from '../consent/grants.sql.ts';
import type { Dialect } from '../github/dialect.ts';
import { answerError, type Responder, respond } from '../json-refusals.ts';
import { isLikeCredential, keyOfAccessToken } from '../token/credentials.ts';
import { explainAccessToken } from '../token/token-end.ts';
import { type ActiveAccessToken, findActiveAccessToken, findTokenWithProof } from './access-tokens.sql.ts';
import { dpop } from './dpop.ts';
import { mac } from './mac.ts';
import { bearer, type Presentation, type ProofOfToken, quoted } from './presentation.ts';

/** The active access token that a request presents; throws a refusal with its challenge otherwise [6750 §3]. */
export async function readAccessToken(deps: Deps, req: Request, dialect: Dialect): Promise<ActiveAccessToken> {
  const presented = presentations.flatMap((presentation) =>
    presentation.tokensIn(req, dialect).map((token) => ({ presentation, token })),
  );
  const [first] = presented;
  if (first === undefined) {
    throw new OAuthError('invalid_token', 'an access token is needed', { headers: challengeHeader(deps.config, req) });
  }
  if (presented.length > 1) throw new OAuthError('invalid_request', 'the access token is sent more than once');
  const { presentation, token } = first;
  const key = await keyOfAccessToken(deps, token);
  const proven = key && (await presentation.prove(deps, req, token, key));
  const active = proven && (await findTokenAndUseProof(deps, key, proven.proof));
  if (!active) throw await invalidToken(deps, req, token, key);
  if (!proven.opens(active.binding)) {
    const headers = ownChallenge(req, { description: inactive, sign_in: undefined }, active.binding) ?? {};
    const { client_id } = active;
    throw new OAuthError('invalid_token', inactive, { client_id, reason: 'bound to another key', headers });
  }
  noteLastUse(deps.database, active.grant_to_touch);
  return active;
}

/** One description for every token that is not active; the exact reason is for the log and the owner of the client. */
async function invalidToken(deps: Deps, req: Request, token: string, key: Buffer | undefined): Promise<OAuthError> {
  const { facts, ...details } = await explainAccessToken(deps.database, key);
  // one that has ended is an ordinary event; one that is not stored was made up, or ended more than a day ago
  if (!facts && isLikeCredential(token)) await limitFailures(deps, { address: clientAddress(req) }, 'access token');
  const reason = details.reason ?? 'access token for another resource';
  return new OAuthError('invalid_token', inactive, { ...details, reason });
}

const inactive = 'the access token is unknown, expired, revoked, bound to another key or for another resource';

export function requireScope({ scopes, client_id }: ActiveAccessToken, anyOf: readonly string[], scope: string): void {
  if (anyOf.some((member) => scopes.includes(member))) return;
  const reason = `scope ${scope} not granted`;
  const description = 'the access token does not carry the scope that is needed';
  throw new OAuthError('insufficient_scope', description, { client_id, reason, scope });
}

/** Refuses a token whose sign-in is too weak or too old for one of the scopes that it has and the answer needs [9470 §3]. */
export async function requireSignIn(deps: Deps, token: ActiveAccessToken, needed: readonly string[]): Promise<void> {
  const { config, database } = deps;
  const scopes = needed.filter((scope) => token.scopes.includes(scope));
  const demand = demandOfScopes(await findScopeCatalogue(database), scopes);
  if (isMetBy(demand, token)) return;
  const { level, max_age } = demand;
  const sign_in = {
    ...(level !== undefined && { acr_values: config.acr_names[level - 1] ?? '' }),
    ...(max_age !== undefined && { max_age: String(max_age) }),
  };
  const reason = `sign-in too ${isTooWeak(token, demand) ? 'weak' : 'old'} for a scope`;
  const description = 'the sign-in behind the access token is too old or too weak for this request';
  throw new OAuthError('insufficient_user_authentication', description, {
    client_id: token.client_id,
    reason,
    sign_in,
  });
}

const challenged: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'invalid_token',
  'insufficient_scope',
  'insufficient_user_authentication',
  'invalid_dpop_proof',
  'use_dpop_nonce',
]);

/** JSON, with a challenge for errors about the token [6750 §3]. */
export const resourceErrors: Responder = (deps) =>
  respond(deps, (req, res, error) => {
    if (challenged.has(error.code)) res.set({ ...challengeHeader(deps.config, req, error), ...error.headers });
    answerError(deps, res, error);
  });

/**
 * Finds an active token, and uses up the proof with which it is presented. One that does not open the token is not stored: it needs
 * no memory. If no administrator vouches for the client, the request is counted first.
 */
export async function findTokenAndUseProof(
  deps: Deps,
  key: Buffer,
  proof: ProofOfToken | undefined,
): Promise<ActiveAccessToken | undefined> {
  const { database } = deps;
  if (!proof) return findActiveAccessToken(database, key);
  const first = await findTokenWithProof(database, key, { ...proof, is_counted: false });
  if (first?.is_to_count) await limitProofs(deps, `${first.client_id} and user ${first.user_id}`);
  const found = first?.is_to_count ? await findTokenWithProof(database, key, { ...proof, is_counted: true }) : first;
  if (found?.proof_fault) throw proof.refusal(found.proof_fault);
  return found;
}

export const presentations: readonly Presentation[] = [bearer, dpop, mac];

export const presentationHeaders = [...new Set(presentations.flatMap(({ headers }) => headers))];

/**
 * A challenge for each way that is offered. The one that the request used, or else the first, says what is wrong [6750 §3; 9449 §7.1]. They name
 * the metadata of the resource, from which a client that knows nothing else finds this server [9728 §5.1].
 */
export function challengeHeader({ issuer, base }: Config, req: Request, error?: OAuthError) {
  const own = error && ownChallenge(req, error);
  if (own) return own;
  const resource_metadata = `${new URL(issuer).origin}/.well-known/oauth-protected-resource${base}`;
  const offered = presentations.flatMap(({ challenge }) => challenge ?? []);
  const used = offered.find(({ scheme }) => isScheme(req, scheme)) ?? offered[0];
  const challenges = offered.map((one) => {
    const parameters = { ...(one === used && error && faultOf(error)), ...one.attributes, resource_metadata };
    return `${one.scheme} ${quoted(parameters)}`;
  });
  return { 'WWW-Authenticate': challenges.join(', ') };
}

/** The header for a way that is not offered, if the request uses it or the token is bound so. */
export function ownChallenge(req: Request, error: Pick<OAuthError, 'description' | 'sign_in'>, bound: Binding = null) {
  const needed = presentations
    .flatMap(({ own }) => own ?? [])
    .find(({ scheme, isNeededBy }) => isScheme(req, scheme) || isNeededBy(bound));
  const { description, sign_in } = error;
  // a scheme whose errors are sentences has the code of this one, which tells what the attributes mean
  const challenge = sign_in
    ? needed?.challenge('insufficient_user_authentication', sign_in)
    : needed?.challenge(description, {});
  return challenge === undefined ? undefined : { 'WWW-Authenticate': challenge };
}

function isScheme({ headers: { authorization = '' } }: Request, scheme: string): boolean {
  return authorization.split(' ')[0]?.toLowerCase() === scheme.toLowerCase();
}

function faultOf({ code, description, scope, sign_in }: OAuthError): Record<string, string> {
  return { error: code, error_description: description, ...(scope && { scope }), ...sign_in };
}
