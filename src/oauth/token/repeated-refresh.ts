import type { Trace } from '../../audit/audit.sql.ts';
import type { ClientCredentials } from '../../clients/client.ts';
import type { Rule } from '../../clients/client-rules.sql.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import {
  createSuccessorSalt,
  deriveSuccessors,
  isGenuine,
  type RefreshToken,
  type Successors,
} from '../../lib/refresh-token.ts';
import { thisServer } from '../../lib/resource.ts';
import { excerpt } from '../../lib/scope.ts';
import { credentialKey } from '../../lib/secrets.ts';
import type { AskedDetails } from '../choice/authorization-details.ts';
import { chosenOfFamily, isChoiceMissing } from '../choice/family-choices.ts';
import { refreshRules } from '../rules.sql.ts';
import type { PresentedRefreshToken } from './authorization-codes.sql.ts';
import { completeMaterial, type WritingMaterial } from './jwt-token.ts';
import { keep } from './kept-refresh-token.ts';
import {
  explainRefreshRefusal,
  narrowAccessToken,
  type RefusedRefresh,
  renewRepeatedAnswer,
} from './repeated-refresh.sql.ts';
import { repetitionRules } from './repetition-rules.sql.ts';
import { type GrantedTokens, grantedTokens, issuedTokens } from './token-answer.ts';
import { endByRule, reasonGone, refusalBy, refuseUnknown, requireClientRules } from './token-refusal.ts';

// A refresh that issued nothing: its token was rotated before, since the request was sent twice, its answer was lost, or somebody else
// holds the token; or the request breaks another rule.

interface RefusedRequest {
  refresh_token: string;
  presented: PresentedRefreshToken & RefreshToken;
  scopes: string[] | undefined;
  details?: AskedDetails | undefined;
  material: WritingMaterial;
}

interface Retry {
  /** whether a second attempt may issue tokens: the proofs of the request, if it has any, are used up */
  mayIssue: boolean;
  rotate(
    deps: Deps,
    presented: RefusedRequest['presented'],
    writing: { material: WritingMaterial },
    trace: Trace,
  ): Promise<GrantedTokens | undefined>;
}

/** Answers a refresh token that was not rotated now: its client keeps it, it was rotated before, or the request breaks a rule. */
export async function repeatOrRefuse(
  deps: Deps,
  credentials: ClientCredentials,
  request: RefusedRequest & Retry,
  trace: Trace,
): Promise<GrantedTokens> {
  const { presented, material } = request;
  const shown = { ...presented, is_genuine: isGenuine(presented, deps.sessionSecrets) };
  const refused = await explainRefreshRefusal(deps.database, shown, deps.config.refresh_grace);
  const [broken] = refused?.broken ?? [];
  if (!refused) throw reasonGone();
  await requireClientRules(deps, credentials, broken, trace);
  if (broken === 'token_known') {
    const { may_be_anybody } = refused;
    return refuseUnknown(deps, 'refresh_token', { text: request.refresh_token, may_be_anybody }, trace);
  }
  if (!request.mayIssue) throw broken ? refusalOf(refreshRules[broken], refused, request) : reasonGone();
  const [missing] = broken === 'token_unused' ? refused.broken_repetition : refused.broken;
  if (presented.choices === undefined && isChoiceMissing(missing, request.details)) {
    const complete = { ...presented, choices: await chosenOfFamily(deps, refused, request.details) };
    const rotated = await request.rotate(deps, complete, { material }, trace);
    return rotated ?? repeatOrRefuse(deps, credentials, { ...request, presented: complete }, trace);
  }
  const kept = broken === undefined && (await keep(deps, presented, { material }, trace));
  if (kept) return kept;
  if (broken === undefined) throw reasonGone();
  if (broken === 'token_unused') return repeat(deps, { ...request, presented: shown }, refused, trace);
  const complete = broken === 'signable' ? await completeMaterial(deps, refused.resource, material, trace) : undefined;
  const rotated =
    complete && (await request.rotate(deps, { ...presented, can_sign: true }, { material: complete }, trace));
  if (rotated) return rotated;
  throw refusalOf(refreshRules[broken], refused, request);
}

/**
 * Within the grace period the response of the rotation was lost or the request was sent twice, so the response is repeated. Later, or
 * once the successor was used, two parties hold the token; as the server cannot tell which is the thief, it revokes the family.
 */
async function repeat(
  deps: Deps,
  request: RefusedRequest,
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
  const presented = { ...request.presented, can_sign: material.key !== undefined };
  const repeated = { ...request, presented, material };
  // what a first answer was narrowed to says nothing of this one
  const repetition = refused.is_answer_left && !request.details && (await repeatAnswer(deps, refused, repeated));
  if (repetition) return repetition;
  const renewed = await renewAnswer(deps, repeated, refused, trace);
  if (renewed) return renewed;
  // another repetition may have been faster: all get its access token, unless they ask for a part of what was chosen
  const grace = deps.config.refresh_grace;
  const current = await explainRefreshRefusal(deps.database, presented, grace);
  const isOvertaken = current && !current.answer_sha256.equals(refused.answer_sha256);
  if (request.details && isOvertaken) return repeat(deps, request, current, trace);
  const isRepeatable = !request.details && current?.is_answer_left && current.broken_repetition.length === 0;
  const answer = isRepeatable && (await repeatAnswer(deps, current, repeated));
  if (answer) return answer;
  throw reasonGone();
}

/** The tokens of a rotation, of which the access token may have been renewed. */
function successorsOf(
  deps: Deps,
  { presented }: RefusedRequest,
  {
    successor_salt,
    successor_sha256,
    access_salt,
  }: Pick<RefusedRefresh, 'successor_salt' | 'successor_sha256' | 'access_salt'>,
): Successors {
  const sessionSecret = deps.sessionSecrets[0] ?? '';
  const successors = deriveSuccessors(presented, successor_salt, sessionSecret);
  // rotated by a version that derives other successors: these tokens would not be stored
  if (!successors.refresh_token_sha256.equals(successor_sha256)) {
    throw refusalBy({ error: 'invalid_grant', reason: 'refresh token rotated by another version' });
  }
  return { ...successors, access_token: deriveSuccessors(presented, access_salt, sessionSecret).access_token };
}

/** Repeats the response of the rotation; undefined if another repetition has taken the scopes that this one asks for. */
async function repeatAnswer(
  deps: Deps,
  answer: RefusedRefresh,
  request: RefusedRequest,
): Promise<GrantedTokens | undefined> {
  const { scopes: requested, material } = request;
  const { client_id } = request.presented;
  const successors = successorsOf(deps, request, answer);
  const { access_token } = successors;
  const scopes = requested ? await narrow(deps.database, access_token, answer.scopes, requested) : answer.scopes;
  const requested_scope = scopes.length === answer.scopes.length ? answer.requested_scope : null;
  if (scopes.length === 0) return undefined;
  return grantedTokens(deps, { ...answer, client_id, scopes, requested_scope }, { ...successors, material });
}

/**
 * Repeats the response of the rotation with another access token: the first has ended, or is not what the request asks for.
 * Undefined if no token was issued.
 */
async function renewAnswer(
  deps: Deps,
  request: RefusedRequest,
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
    ...request.presented,
    ...trace,
  });
  const { material } = request;
  const { client_id } = request.presented;
  return issued && issuedTokens(deps, 'tokens_refreshed', { ...issued, client_id }, { ...successors, material }, trace);
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

/** The refusal names the scopes that are too much, because the client may know what it was granted. */
function refusalOf(rule: Rule, refused: RefusedRefresh, { scopes = [] }: Pick<RefusedRequest, 'scopes'>): OAuthError {
  const { family_scopes, resource } = refused;
  const isNamed = scopes.length > 0 && resource === thisServer;
  const { error, reason } = { ...rule, ...(isNamed && rule.of_named_scope) };
  if (error !== 'invalid_scope') return refusalBy(rule, resource);
  const beyond = scopes.filter((scope) => !family_scopes.includes(scope));
  return new OAuthError('invalid_scope', `${reason}: ${excerpt(beyond.length > 0 ? beyond : scopes)}`);
}
