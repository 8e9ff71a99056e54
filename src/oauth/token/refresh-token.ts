import type { Trace } from '../../audit/audit.sql.ts';
import { namedResource } from '../../catalogue/resources.sql.ts';
import { type ClientCredentials, proofsOf, useProofsWith } from '../../clients/client.ts';
import { noteUseOfSecret } from '../../clients/last-use.ts';
import type { ProofDigests } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import {
  createSuccessorSalt,
  deriveSuccessors,
  impossibleToken,
  isGenuine,
  type RefreshToken,
  readRefreshToken,
} from '../../lib/refresh-token.ts';
import { createCredential, credentialKey } from '../../lib/secrets.ts';
import { rulesFor } from '../../lib/security-profile.ts';
import { type GrantedTokens, issuedTokens } from './credentials.ts';
import { completeMaterial, readWritingMaterial, type WritingMaterial } from './jwt-token.ts';
import { keepRefreshToken, type PresentedRefreshToken, rotateRefreshToken } from './refresh.sql.ts';
import { explainRefreshRefusal } from './repeated-refresh.sql.ts';
import { refusalOf, repeatOrRefuse } from './repeated-refresh.ts';
import { reasonGone, refuseUnknown, requireClientRules } from './token-refusal.ts';
import { refreshRules } from './token-rules.sql.ts';

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
  const issued = { ...rotated, client_id: credentials.client_id };
  return issuedTokens(deps, 'tokens_refreshed', issued, { ...successor, material: request.material }, trace);
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
  if (broken === 'token_unused')
    return repeatOrRefuse(deps, { ...request, presented, client_id: credentials.client_id }, refused, trace);
  const material =
    broken === 'signable' ? await completeMaterial(deps, refused.resource, request.material, trace) : undefined;
  const rotated = material && (await rotate(deps, credentials, { ...request, material }, trace));
  if (rotated) return rotated;
  throw refusalOf(refreshRules[broken], refused, request);
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
  const secrets = { access_token, refresh_token, material: request.material };
  return issuedTokens(deps, 'tokens_refreshed', { ...issued, client_id }, secrets, trace);
}
