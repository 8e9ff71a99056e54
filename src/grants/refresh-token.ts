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
import { authenticateClient, type ClientCredentials, refuseOtherGrants } from './client.ts';
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
  client: ClientCredentials,
  { refresh_token, scopes }: RefreshRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const successor_salt = createSuccessorSalt();
  const successor = deriveSuccessors(refresh_token, successor_salt);
  const rotated =
    isSecret('refresh_token', refresh_token) &&
    (await rotateRefreshToken(database, {
      refresh_token_sha256: credentialKey(refresh_token),
      client_id: client.client_id,
      secret_sha256: client.secret_sha256,
      scope: scopes?.join(' '),
      successor_salt,
      successor_sha256: credentialKey(successor.refresh_token),
      successor_access_sha256: credentialKey(successor.access_token),
      access_token_ttl: config.access_token_ttl,
      refresh_token_ttl: config.refresh_token_ttl,
      ...trace,
    }));
  if (!rotated) return repeatOrRefuse(deps, client, { refresh_token, scopes }, trace);
  const { user_id, code_id } = rotated;
  logEvent(deps, trace, { event: 'tokens_refreshed', user_id, client_id: client.client_id, code_id });
  await noteLastUse(deps, rotated.grant_to_touch);
  return grantedTokens(rotated, successor.access_token, successor.refresh_token);
}

/**
 * A token that was rotated already: within the grace its holder lost the answer, or asked twice at once, and is given
 * the same answer; after that two parties hold the token, and as nobody knows which is the thief, both lose it.
 */
async function repeatOrRefuse(
  deps: Deps,
  credentials: ClientCredentials,
  { refresh_token, scopes }: RefreshRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const client = await authenticateClient(deps, credentials, trace);
  refuseOtherGrants(client, 'refresh_token');
  const story = await findRefreshToken(database, credentialKey(refresh_token), client.client_id, config.refresh_grace);
  if (!story) {
    const { facts, ...details } = await explainCredential(database, 'refresh_token', refresh_token, client.client_id);
    throw invalidGrant(details);
  }
  const { code_id, user_id } = story;
  if (story.is_reused) {
    if (await revokeFamily(database, code_id)) {
      await audit(deps, trace, { event: 'refresh_token_reused', user_id, client_id: client.client_id, code_id });
    }
    throw invalidGrant({ reason: 'refresh token used before' });
  }
  const beyond = (scopes ?? []).filter((scope) => !story.scopes.includes(scope));
  if (beyond.length > 0) {
    throw new OAuthError('invalid_scope', `scope was not granted: ${excerpt(beyond)}`);
  }
  if (story.answer) return repeatAnswer(database, refresh_token, story.answer, scopes);
  throw invalidGrant({ reason: `nothing left of ${story.is_rotated ? 'the answer to repeat' : 'its scope'}` });
}

/** The same answer once more, if anything of it is left. */
async function repeatAnswer(
  database: Database,
  refresh_token: string,
  answer: StoredAnswer,
  asked: string[] | undefined,
): Promise<GrantedTokens> {
  const successor = deriveSuccessors(refresh_token, answer.successor_salt);
  // rotated by another version, which derives otherwise: better none than tokens that nobody has stored
  if (!credentialKey(successor.refresh_token).equals(answer.successor_sha256)) {
    throw invalidGrant({ reason: 'refresh token rotated by another version' });
  }
  const scopes = asked ? await narrow(database, successor.access_token, answer.scopes, asked) : answer.scopes;
  const requested_scope = scopes.length === answer.scopes.length ? answer.requested_scope : null;
  if (scopes.length === 0) throw invalidGrant({ reason: 'nothing left of the answer to repeat' });
  return grantedTokens({ ...answer, scopes, requested_scope }, successor.access_token, successor.refresh_token);
}

/** The token is the same, so a request for less narrows it for all who hold it: it must not do more than its answer says. */
async function narrow(
  database: Database,
  access_token: string,
  scopes: string[],
  asked: readonly string[],
): Promise<string[]> {
  const common = scopes.filter((scope) => asked.includes(scope));
  if (common.length === scopes.length) return scopes;
  return (await narrowAccessToken(database, credentialKey(access_token), common)) ?? [];
}
