import type { Deps } from '../deps.ts';
import type { Database } from '../postgres/database.ts';
import { OAuthError } from '../protocol/errors.ts';
import { excerpt } from '../protocol/scope.ts';
import { createSuccessorSalt, credentialKey, deriveSuccessors, isSecret } from '../protocol/secrets.ts';
import { narrowAccessToken } from '../store/access-tokens.ts';
import type { Trace } from '../store/audit.ts';
import { revokeFamily } from '../store/families.ts';
import { findRefreshToken, rotateRefreshToken, type StoredAnswer } from '../store/refresh-tokens.ts';
import { audit, logEvent } from './audit.ts';
import { authenticateClient, type ClientCredentials, requireGrantType } from './client.ts';
import { noteLastUse } from './last-use.ts';
import { explainCredential } from './token-end.ts';
import { type GrantedTokens, grantedTokens, invalidGrant } from './token-response.ts';

export interface RefreshRequest {
  refresh_token: string;
  /** members, within what the client registered */
  scopes: string[] | undefined;
}

/** The refresh of RFC 6749 §6, with rotation at each use [9700 §4.14.2]. */
export async function refresh(
  deps: Deps,
  credentials: ClientCredentials,
  { refresh_token, scopes }: RefreshRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const { client_id, secret_sha256 } = credentials;
  const successor_salt = createSuccessorSalt();
  const successor = deriveSuccessors(refresh_token, successor_salt);
  const rotated =
    isSecret('refresh_token', refresh_token) &&
    (await rotateRefreshToken(database, {
      refresh_token_sha256: credentialKey(refresh_token),
      client_id,
      secret_sha256,
      scope: scopes?.join(' '),
      successor_salt,
      successor_sha256: credentialKey(successor.refresh_token),
      successor_access_sha256: credentialKey(successor.access_token),
      access_token_ttl: config.access_token_ttl,
      refresh_token_ttl: config.refresh_token_ttl,
      ...trace,
    }));
  if (!rotated) return repeatOrRefuse(deps, credentials, { refresh_token, scopes }, trace);
  const { user_id, code_id } = rotated;
  logEvent(deps, trace, { event: 'tokens_refreshed', user_id, client_id, code_id });
  await noteLastUse(deps, rotated.grant_to_touch);
  return grantedTokens(rotated, successor.access_token, successor.refresh_token);
}

/**
 * For a refresh token that was rotated before. Within the grace period the response was lost or the request was sent twice, so
 * the response is repeated. Later, or once the successor was used, two parties hold the token; as the server cannot tell which is the thief, it revokes the family.
 */
async function repeatOrRefuse(
  deps: Deps,
  credentials: ClientCredentials,
  { refresh_token, scopes }: RefreshRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const client = await authenticateClient(deps, credentials, trace);
  requireGrantType(client, 'refresh_token');
  const found = await findRefreshToken(database, credentialKey(refresh_token), client.client_id, config.refresh_grace);
  if (!found) {
    const { facts, ...details } = await explainCredential(database, 'refresh_token', refresh_token, client.client_id);
    throw invalidGrant(details);
  }
  const { code_id, user_id } = found;
  if (found.is_reused) {
    if (await revokeFamily(database, code_id)) {
      await audit(deps, trace, { event: 'refresh_token_reused', user_id, client_id: client.client_id, code_id });
    }
    throw invalidGrant({ reason: 'refresh token used before' });
  }
  const beyond = (scopes ?? []).filter((scope) => !found.scopes.includes(scope));
  if (beyond.length > 0) {
    throw new OAuthError('invalid_scope', `scope was not granted: ${excerpt(beyond)}`);
  }
  if (found.answer) return repeatAnswer(database, refresh_token, found.answer, scopes);
  throw invalidGrant({ reason: `nothing left of ${found.is_rotated ? 'the answer to repeat' : 'its scope'}` });
}

/** Repeats the response of the rotation, unless its access token is no longer active. */
async function repeatAnswer(
  database: Database,
  refresh_token: string,
  answer: StoredAnswer,
  requested: string[] | undefined,
): Promise<GrantedTokens> {
  const successor = deriveSuccessors(refresh_token, answer.successor_salt);
  // rotated by a version that derives other successors: these tokens would not be stored
  if (!credentialKey(successor.refresh_token).equals(answer.successor_sha256)) {
    throw invalidGrant({ reason: 'refresh token rotated by another version' });
  }
  const scopes = requested ? await narrow(database, successor.access_token, answer.scopes, requested) : answer.scopes;
  const requested_scope = scopes.length === answer.scopes.length ? answer.requested_scope : null;
  if (scopes.length === 0) throw invalidGrant({ reason: 'nothing left of the answer to repeat' });
  return grantedTokens({ ...answer, scopes, requested_scope }, successor.access_token, successor.refresh_token);
}

/** A repeated response with less scope narrows the access token itself, because the token must not allow more than its response says. */
async function narrow(
  database: Database,
  access_token: string,
  scopes: string[],
  requested: readonly string[],
): Promise<string[]> {
  const common = scopes.filter((scope) => requested.includes(scope));
  if (common.length === scopes.length) return scopes;
  return (await narrowAccessToken(database, credentialKey(access_token), common)) ?? [];
}
