import type { Deps } from '../deps.ts';
import type { Database } from '../postgres/database.ts';
import { isBoundBy } from '../protocol/binding.ts';
import { rulesFor } from '../protocol/client-profile.ts';
import { OAuthError } from '../protocol/errors.ts';
import { excerpt } from '../protocol/scope.ts';
import {
  createCredential,
  createSuccessorSalt,
  credentialKey,
  deriveSuccessors,
  isSecret,
  keyOf,
} from '../protocol/secrets.ts';
import { narrowAccessToken } from '../store/access-tokens.ts';
import type { Trace } from '../store/audit.ts';
import type { NewTokens } from '../store/authorization-codes.ts';
import type { Client } from '../store/clients.ts';
import { revokeFamily } from '../store/families.ts';
import { keepRefreshToken, rotateRefreshToken } from '../store/refresh.ts';
import { findRefreshToken, type StoredAnswer } from '../store/refresh-tokens.ts';
import { audit, logEvent } from './audit.ts';
import { requireBinding } from './binding.ts';
import { authenticateClient, type ClientCredentials, limitGuesses, requireGrantType, useProofsWith } from './client.ts';
import { completeMaterial, readWritingMaterial } from './credentials.ts';
import { noteLastUse } from './last-use.ts';
import { invalidTarget, nothingLeft, requireAuthorized } from './resources.ts';
import { explainCredential } from './token-end.ts';
import type { WritingMaterial } from './token-format.ts';
import { type GrantedTokens, grantedTokens, invalidGrant } from './token-response.ts';

export interface RefreshRequest {
  refresh_token: string;
  /** members, within what the client registered */
  scopes: string[] | undefined;
  resource: string | undefined;
}

/** A request, and what is needed to write its answer. */
interface PreparedRequest extends RefreshRequest {
  material: WritingMaterial;
}

/** The refresh of RFC 6749 §6, with rotation at each use [9700 §4.14.2]. */
export async function refresh(
  deps: Deps,
  credentials: ClientCredentials,
  sent: RefreshRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { refresh_token } = sent;
  const request = { ...sent, material: await readWritingMaterial(deps, trace) };
  const isKnown =
    (await useProofsWith(deps, credentials, trace, credentialKey(refresh_token))) &&
    isSecret('refresh_token', refresh_token);
  return isKnown ? rotate(deps, credentials, request, trace) : refuseUnknown(deps, credentials, refresh_token, trace);
}

async function rotate(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const successor_salt = createSuccessorSalt();
  const successor = deriveSuccessors(request.refresh_token, successor_salt);
  const rotated = await rotateRefreshToken(database, {
    ...storedRefresh(deps, credentials, request, successor.access_token),
    ...trace,
    successor_salt,
    successor_sha256: credentialKey(successor.refresh_token),
    refresh_token_ttl: config.refresh_token_ttl,
  });
  if (!rotated) return repeatOrRefuse(deps, credentials, request, trace);
  return answerRefresh(deps, { ...rotated, client_id: credentials.client_id }, { ...request, ...successor }, trace);
}

/** What the statements of every refresh need. */
function storedRefresh(
  { config: { access_token_ttl } }: Deps,
  credentials: ClientCredentials,
  { refresh_token, scopes, resource, material }: PreparedRequest,
  access_token: string,
) {
  return {
    ...credentials,
    refresh_token_sha256: credentialKey(refresh_token),
    scope: scopes?.join(' '),
    resource,
    can_sign: material.key !== undefined,
    access_token_sha256: credentialKey(access_token),
    access_token_ttl,
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
  noteLastUse(deps, issued.grant_to_touch);
  return grantedTokens(deps, issued, secrets, secrets.material);
}

/**
 * For a refresh token that was not rotated now: its client keeps it, or it was rotated before. Within the grace period the response
 * was lost or the request was sent twice, so the response is repeated. Later, or once the successor was used, two parties hold the
 * token; as the server cannot tell which is the thief, it revokes the family.
 */
async function repeatOrRefuse(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const { refresh_token, scopes, resource: named } = request;
  const client = await authenticateClient(deps, credentials, trace);
  requireGrantType(client, 'refresh_token');
  const kept = rulesFor(client).rotates_refresh_tokens ? undefined : await keepToken(deps, credentials, request, trace);
  if (kept) return kept;
  const presented = { ...credentials, refresh_token_sha256: credentialKey(refresh_token) };
  const found = await findRefreshToken(database, presented, config.refresh_grace);
  if (!found) return refuseInactive(deps, client, refresh_token, trace);
  // whoever stole a token but not its key must not be able to end the person's tokens
  requireBinding(found.binding_fault);
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
  const resource = requireAuthorized(found.resources, named);
  if (!found.is_rotated) return issueAfterAll(deps, credentials, { ...request, resource }, trace);
  if (!found.answer) throw invalidGrant({ reason: 'nothing left of the answer to repeat' });
  if (!isBoundBy(found.answer.binding, client.token_binding)) {
    throw invalidGrant({ reason: 'the answer to repeat is not bound as the client is registered' });
  }
  if (found.answer.resource !== resource) throw invalidTarget('the answer to repeat is for another resource');
  return repeatAnswer(deps, { ...found.answer, client_id: client.client_id }, request, trace);
}

/** If nothing was missing but the key that signs the new token. */
async function issueAfterAll(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest & { resource: string },
  trace: Trace,
): Promise<GrantedTokens> {
  const material = await completeMaterial(deps, request.resource, request.material, trace);
  if (!material) throw nothingLeft(request.resource);
  return rotate(deps, credentials, { ...request, material }, trace);
}

/** For what is no refresh token, or none of this client. */
async function refuseUnknown(
  deps: Deps,
  credentials: ClientCredentials,
  refresh_token: string,
  trace: Trace,
): Promise<never> {
  const client = await authenticateClient(deps, credentials, trace);
  requireGrantType(client, 'refresh_token');
  return refuseInactive(deps, client, refresh_token, trace);
}

async function refuseInactive(deps: Deps, client: Client, refresh_token: string, trace: Trace): Promise<never> {
  const key = keyOf('refresh_token', refresh_token);
  const { facts, ...details } = await explainCredential(deps.database, 'refresh_token', key, client.client_id);
  if (key && !facts) await limitGuesses(deps, client, trace);
  throw invalidGrant(details);
}

/** The refresh of a client whose profile keeps refresh tokens; undefined if it is refused. */
async function keepToken(
  deps: Deps,
  credentials: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens | undefined> {
  const access_token = createCredential('access_token');
  const kept = { ...storedRefresh(deps, credentials, request, access_token), ...trace };
  const issued = await keepRefreshToken(deps.database, kept);
  if (!issued) return undefined;
  const { client_id } = credentials;
  return answerRefresh(deps, { ...issued, client_id }, { ...request, access_token }, trace);
}

/** Repeats the response of the rotation, unless its access token is no longer active. */
async function repeatAnswer(
  deps: Deps,
  answer: StoredAnswer & { client_id: string },
  { refresh_token, scopes: requested, material }: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database } = deps;
  const successor = deriveSuccessors(refresh_token, answer.successor_salt);
  // rotated by a version that derives other successors: these tokens would not be stored
  if (!credentialKey(successor.refresh_token).equals(answer.successor_sha256)) {
    throw invalidGrant({ reason: 'refresh token rotated by another version' });
  }
  const scopes = requested ? await narrow(database, successor.access_token, answer.scopes, requested) : answer.scopes;
  const requested_scope = scopes.length === answer.scopes.length ? answer.requested_scope : null;
  if (scopes.length === 0) throw invalidGrant({ reason: 'nothing left of the answer to repeat' });
  const complete = (await completeMaterial(deps, answer.resource, material, trace)) ?? material;
  return grantedTokens(deps, { ...answer, scopes, requested_scope }, successor, complete);
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
