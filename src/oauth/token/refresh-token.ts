import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import { namedResource } from '../../catalogue/resources.sql.ts';
import { type ClientCredentials, proofsOf, useProofsWith } from '../../clients/client.ts';
import { noteUseOfSecret } from '../../clients/last-use.ts';
import type { Rule } from '../../clients/rules.sql.ts';
import type { ProofDigests } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import {
  createSuccessorSalt,
  deriveSuccessors,
  impossibleToken,
  isGenuine,
  type RefreshToken,
  readRefreshToken,
  type Successors,
} from '../../lib/refresh-token.ts';
import { excerpt } from '../../lib/scope.ts';
import { createCredential, credentialKey } from '../../lib/secrets.ts';
import { rulesFor } from '../../lib/security-profile.ts';
import { noteLastUse } from '../consent/grants.sql.ts';
import type { NewTokens } from './authorization-codes.sql.ts';
import { type GrantedTokens, grantedTokens } from './credentials.ts';
import { completeMaterial, readWritingMaterial, type WritingMaterial } from './jwt-token.ts';
import { keepRefreshToken, type PresentedRefreshToken, rotateRefreshToken } from './refresh.sql.ts';
import {
  explainRefreshRefusal,
  narrowAccessToken,
  type RefusedRefresh,
  renewRepeatedAnswer,
} from './repeated-refresh.sql.ts';
import { endByRule, reasonGone, refusalBy, refuseUnknown, requireClientRules } from './token-refusal.ts';
import { refreshRules, repetitionRules } from './token-rules.sql.ts';

export interface RefreshRequest {
  refresh_token: string;
  /** members, within what the client registered */
  scopes: string[] | undefined;
  resource: string | undefined;
}

/** A request, and what the answer is made from. */
interface PreparedRequest extends RefreshRequest {
  token: RefreshToken;
  material: WritingMaterial;
  /** the proofs that the statement has to use up; absent if they are used up already */
  proofs?: ProofDigests | undefined;
}

/** The refresh of RFC 6749 §6, with rotation at each use [9700 §4.14.2]. */
export async function refresh(
  deps: Deps,
  credentials: ClientCredentials,
  sent: RefreshRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const token = readRefreshToken(sent.refresh_token) ?? impossibleToken;
  const request = { ...sent, token, material: await readWritingMaterial(deps, trace) };
  const isPossible = token !== impossibleToken;
  const keeps = credentials.client && !rulesFor(credentials.client).rotates_refresh_tokens;
  const attempt = keeps ? keep : rotate;
  const proofs = proofsOf(credentials);
  const issued = isPossible && (await attempt(deps, credentials, { ...request, proofs }, trace));
  if (issued) return issued;
  // a refused request uses up its proofs, too; the proofs of a client for which nobody vouches are counted first
  const proven = await useProofsWith(deps, credentials, trace, token.family_key);
  const late = proofs && proven && isPossible && (await attempt(deps, proven, request, trace));
  return (
    late || keepRepeatOrRefuse(deps, proven ?? credentials, { ...request, isCounted: proven !== undefined }, trace)
  );
}

/** Undefined if the rotation is refused. */
async function rotate(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens | undefined> {
  const { database, config } = deps;
  const successor_salt = createSuccessorSalt();
  const successor = deriveSuccessors(request.token, successor_salt, deps.sessionSecrets[0] ?? '');
  const rotation = {
    access_token_sha256: credentialKey(successor.access_token),
    access_token_ttl: config.access_token_ttl,
    successor_salt,
    successor_sha256: successor.refresh_token_sha256,
    refresh_token_ttl: config.refresh_token_ttl,
    ...presentedToken(credentials, request),
    ...trace,
  };
  const rotated = await rotateRefreshToken(database, rotation, request.proofs);
  if (!rotated) return undefined;
  noteUseOfSecret(deps, credentials);
  return answerRefresh(deps, { ...rotated, client_id: credentials.client_id }, { ...request, ...successor }, trace);
}

function presentedToken(
  credentials: ClientCredentials,
  { token, scopes, resource, material }: PreparedRequest,
): PresentedRefreshToken {
  const can_sign = material.key !== undefined;
  // only a token that the database has forgotten needs the tag
  return {
    is_genuine: false,
    scope: scopes?.join(' '),
    can_sign,
    ...namedResource(resource),
    ...token,
    ...credentials,
  };
}

async function answerRefresh(
  deps: Deps,
  issued: NewTokens & { client_id: string },
  secrets: Parameters<typeof grantedTokens>[2] & Pick<PreparedRequest, 'material'>,
  trace: Trace,
): Promise<GrantedTokens> {
  const { user_id, client_id, code_id } = issued;
  logEvent(deps, trace, { event: 'tokens_refreshed', user_id, client_id, code_id });
  noteLastUse(deps.database, issued.grant_to_touch);
  return grantedTokens(deps, issued, secrets, secrets.material);
}

/** Answers a refresh token that was not rotated now: its client keeps it, it was rotated before, or the request breaks a rule. */
async function keepRepeatOrRefuse(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest & { isCounted: boolean },
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const is_genuine = isGenuine(request.token, deps.sessionSecrets);
  const presented = { ...presentedToken(credentials, request), is_genuine };
  const refused = await explainRefreshRefusal(database, presented, config.refresh_grace);
  const [broken] = refused?.broken ?? [];
  if (!refused) throw reasonGone();
  await requireClientRules(deps, credentials, broken, trace);
  if (broken === 'token_known') {
    const { may_be_anybody } = refused;
    return refuseUnknown(deps, 'refresh_token', { text: request.refresh_token, may_be_anybody }, trace);
  }
  if (!request.isCounted) throw broken ? refusalOf(refreshRules[broken], refused, request) : reasonGone();
  const issued = broken === undefined && (await keep(deps, credentials, request, trace));
  if (issued) return issued;
  if (broken === undefined) throw reasonGone();
  if (broken === 'token_unused') return repeatOrRefuse(deps, credentials, request, refused, trace);
  const material =
    broken === 'signable' ? await completeMaterial(deps, refused.resource, request.material, trace) : undefined;
  const rotated = material && (await rotate(deps, credentials, { ...request, material }, trace));
  if (rotated) return rotated;
  throw refusalOf(refreshRules[broken], refused, request);
}

/** The refusal names the scopes that are too much, because the client may know what it was granted. */
function refusalOf(rule: Rule, refused: RefusedRefresh, { scopes = [] }: RefreshRequest): OAuthError {
  const { family_scopes, resource } = refused;
  if (rule.error !== 'invalid_scope') return refusalBy(rule, resource);
  const beyond = scopes.filter((scope) => !family_scopes.includes(scope));
  return new OAuthError('invalid_scope', `${rule.reason}: ${excerpt(beyond)}`);
}

/** Issues an access token to a client whose profile keeps refresh tokens; undefined if the refresh is refused. */
async function keep(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens | undefined> {
  const access_token = createCredential('access_token');
  const kept = {
    access_token_sha256: credentialKey(access_token),
    access_token_ttl: deps.config.access_token_ttl,
    ...presentedToken(credentials, request),
    ...trace,
  };
  const issued = await keepRefreshToken(deps.database, kept, request.proofs);
  if (!issued) return undefined;
  const { client_id } = credentials;
  const { refresh_token } = request;
  return answerRefresh(deps, { ...issued, client_id }, { ...request, access_token, refresh_token }, trace);
}

/**
 * Within the grace period the response of the rotation was lost or the request was sent twice, so the response is repeated. Later, or
 * once the successor was used, two parties hold the token; as the server cannot tell which is the thief, it revokes the family.
 */
async function repeatOrRefuse(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest,
  refused: RefusedRefresh,
  trace: Trace,
): Promise<GrantedTokens> {
  const broken = refused.broken_repetition.find((name) => name !== 'signable');
  if (broken !== undefined) {
    const rule: Rule = repetitionRules[broken];
    await endByRule(deps, rule, refused, trace);
    throw refusalOf(rule, refused, request);
  }
  const material = (await completeMaterial(deps, refused.resource, request.material, trace)) ?? request.material;
  const repeated = { ...request, material };
  if (refused.is_answer_left) return repeatAnswer(deps, { ...refused, ...credentials }, repeated);
  const renewed = await renewAnswer(deps, credentials, repeated, refused, trace);
  if (renewed) return renewed;
  // another repetition may have been faster: all get its access token
  const grace = deps.config.refresh_grace;
  const current = await explainRefreshRefusal(deps.database, presentedToken(credentials, repeated), grace);
  const isRepeatable = current?.is_answer_left && current.broken_repetition.length === 0;
  if (isRepeatable) return repeatAnswer(deps, { ...current, ...credentials }, repeated);
  throw reasonGone();
}

/** The tokens of a rotation, of which the access token may have been renewed. */
function successorsOf(
  deps: Deps,
  { token }: PreparedRequest,
  {
    successor_salt,
    successor_sha256,
    access_salt,
  }: Pick<RefusedRefresh, 'successor_salt' | 'successor_sha256' | 'access_salt'>,
): Successors {
  const sessionSecret = deps.sessionSecrets[0] ?? '';
  const successors = deriveSuccessors(token, successor_salt, sessionSecret);
  // rotated by a version that derives other successors: these tokens would not be stored
  if (!successors.refresh_token_sha256.equals(successor_sha256)) {
    throw refusalBy({ error: 'invalid_grant', reason: 'refresh token rotated by another version' });
  }
  return { ...successors, access_token: deriveSuccessors(token, access_salt, sessionSecret).access_token };
}

/** Repeats the response of the rotation. */
async function repeatAnswer(
  deps: Deps,
  answer: RefusedRefresh & { client_id: string },
  request: PreparedRequest,
): Promise<GrantedTokens> {
  const { scopes: requested, material } = request;
  const successors = successorsOf(deps, request, answer);
  const { access_token } = successors;
  const scopes = requested ? await narrow(deps.database, access_token, answer.scopes, requested) : answer.scopes;
  const requested_scope = scopes.length === answer.scopes.length ? answer.requested_scope : null;
  if (scopes.length === 0) throw reasonGone();
  return grantedTokens(deps, { ...answer, scopes, requested_scope }, successors, material);
}

/**
 * Repeats the response of the rotation with another access token: the first has ended, or is not what the request asks for.
 * Undefined if no token was issued.
 */
async function renewAnswer(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest,
  refused: RefusedRefresh,
  trace: Trace,
): Promise<GrantedTokens | undefined> {
  const { config, database } = deps;
  const access_salt = createSuccessorSalt();
  const successors = successorsOf(deps, request, { ...refused, access_salt });
  const issued = await renewRepeatedAnswer(database, {
    access_token_sha256: credentialKey(successors.access_token),
    access_token_ttl: config.access_token_ttl,
    access_salt,
    answer_sha256: refused.answer_sha256,
    grace: config.refresh_grace,
    ...presentedToken(credentials, request),
    ...trace,
  });
  const { client_id } = credentials;
  return issued && answerRefresh(deps, { ...issued, client_id }, { ...request, ...successors }, trace);
}

/** A repeated response with less scope narrows the access token itself, because the token must not allow more than its response says. */
async function narrow(
  database: Deps['database'],
  access_token: string,
  scopes: string[],
  requested: readonly string[],
): Promise<string[]> {
  const common = scopes.filter((scope) => requested.includes(scope));
  if (common.length === scopes.length) return scopes;
  return (await narrowAccessToken(database, credentialKey(access_token), common)) ?? [];
}
