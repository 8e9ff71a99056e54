import { randomBytes } from 'node:crypto';
import type { Trace } from '../../audit/audit.sql.ts';
import { namedResource } from '../../catalogue/resources.sql.ts';
import { type ClientCredentials, proofsOf, useProofsWith } from '../../clients/client.ts';
import { noteUseOfSecret } from '../../clients/last-use.ts';
import type { ProofDigests } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import { codeChallengeOf } from '../../lib/pkce.ts';
import {
  createRefreshToken,
  createSuccessorSalt,
  deriveSuccessors,
  impossibleToken,
  type RefreshToken,
  readRefreshToken,
} from '../../lib/refresh-token.ts';
import { createCredential, credentialKey, isSecret, secretBytes } from '../../lib/secrets.ts';
import { rulesFor } from '../../lib/security-profile.ts';
import type { AskedPart } from '../authorize/requested-resources.ts';
import {
  type PresentedCode,
  type PresentedRefreshToken,
  redeemAuthorizationCode,
  rotateRefreshToken,
} from './authorization-codes.sql.ts';
import { readWritingMaterial, type WritingMaterial } from './jwt-token.ts';
import { keep } from './kept-refresh-token.ts';
import { refuseCode } from './refused-code.ts';
import { repeatOrRefuse } from './repeated-refresh.ts';
import { type GrantedTokens, issuedTokens } from './token-answer.ts';

// A code is exchanged, and a refresh token is used, in the same way: one statement decides and issues the tokens. If it changed
// nothing, a later statement finds out which rule was broken.

/** One request for tokens: how it is granted, and how it is refused. */
interface Attempt {
  /** the family of the code or refresh token that was sent */
  family_key: Buffer;
  /** false: what was sent cannot be a code or refresh token of this server, or asks for a part of what was chosen, which is looked up first */
  isPossible: boolean;
  /** Undefined if nothing was issued: a rule is broken, or the `proofs`, which the statement uses up, do not count. */
  issue(client: ClientCredentials, proofs?: ProofDigests): Promise<GrantedTokens | undefined>;
  /**
   * Refuses by the first rule that is broken, or repeats an answer that was lost. Unless `mayIssue`, nothing may be issued: a stranger
   * may have sent the request, so its proofs were not used up.
   */
  refuse(client: ClientCredentials, mayIssue: boolean): Promise<GrantedTokens>;
}

async function issueOrRefuse(
  deps: Deps,
  credentials: ClientCredentials,
  { family_key, isPossible, issue, refuse }: Attempt,
  trace: Trace,
): Promise<GrantedTokens> {
  const proofs = proofsOf(credentials);
  const issued = isPossible && (await issue(credentials, proofs));
  if (issued) return issued;
  // a refused request uses up its proofs, too; the proofs of a client for which nobody vouches are counted first
  const proven = await useProofsWith(deps, credentials, trace, family_key);
  const late = proofs && proven && isPossible && (await issue(proven));
  return late || refuse(proven ?? credentials, proven !== undefined);
}

/** What new tokens are written with, and the proofs that their statement has to use up, if they are not used up yet. */
interface Writing {
  material: WritingMaterial;
  proofs?: ProofDigests | undefined;
}

interface CodeRequest extends AskedPart {
  code: string;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
}

/** The authorization code grant [6749 §4.1.3]. */
export async function exchangeCode(
  deps: Deps,
  credentials: ClientCredentials,
  { code, redirect_uri, code_verifier, resource, details }: CodeRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const material = await readWritingMaterial(deps, trace);
  const sent = {
    code_sha256: credentialKey(code),
    redirect_uri,
    code_challenge: code_verifier && codeChallengeOf(code_verifier),
    can_sign: material.key !== undefined,
    ...namedResource(resource),
  };
  const attempt: Attempt = {
    family_key: sent.code_sha256,
    isPossible: isSecret('authorization_code', code) && !details,
    issue: (client, proofs) => redeem(deps, { ...sent, ...client }, { material, proofs }, trace),
    refuse: (client, mayIssue) => {
      const refused = { code, details, presented: { ...sent, ...client }, material, mayIssue };
      return refuseCode(deps, client, { ...refused, redeem }, trace);
    },
  };
  return issueOrRefuse(deps, credentials, attempt, trace);
}

async function redeem(
  deps: Deps,
  presented: PresentedCode,
  { material, proofs }: Writing,
  trace: Trace,
): Promise<GrantedTokens | undefined> {
  const { database, config } = deps;
  // at once: half as expensive as one after the other
  const bits = randomBytes(2 * secretBytes);
  const access_token = createCredential('access_token', bits.subarray(0, secretBytes));
  const family = { family_key: presented.code_sha256, generation: 0 };
  const sessionSecret = deps.sessionSecrets[0] ?? '';
  const { refresh_token, refresh_token_sha256 } = createRefreshToken(sessionSecret, family, bits.subarray(secretBytes));
  const redemption = {
    access_token_sha256: credentialKey(access_token),
    refresh_token_sha256,
    access_token_ttl: config.access_token_ttl,
    refresh_token_ttl: config.refresh_token_ttl,
    ...presented,
    ...trace,
  };
  const issued = await redeemAuthorizationCode(database, redemption, proofs);
  if (!issued) return undefined;
  noteUseOfSecret(deps, presented);
  const { client_id } = presented;
  const secrets = { access_token, refresh_token, material };
  return issuedTokens(deps, 'tokens_issued', { ...issued, client_id }, secrets, trace);
}

interface RefreshRequest extends AskedPart {
  refresh_token: string;
  /** members, within what the client may ask for */
  scopes: string[] | undefined;
  /** what the request calls them, which may be groups, or the members that the client registered of these */
  names?: string[] | undefined;
}

/** The refresh of RFC 6749 §6, with rotation at each use [9700 §4.14.2]. */
export async function refresh(
  deps: Deps,
  credentials: ClientCredentials,
  { refresh_token, scopes, names, resource, details }: RefreshRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const token = readRefreshToken(refresh_token) ?? impossibleToken;
  const material = await readWritingMaterial(deps, trace);
  const sent = {
    ...token,
    // only a token that the database has forgotten needs the tag
    is_genuine: false,
    scope: scopes?.join(' '),
    scope_names: names?.join(' '),
    can_sign: material.key !== undefined,
    ...namedResource(resource),
  };
  const keeps = credentials.client && !rulesFor(credentials.client).rotates_refresh_tokens;
  const attempt: Attempt = {
    family_key: token.family_key,
    isPossible: token !== impossibleToken && !details,
    issue: (client, proofs) => (keeps ? keep : rotate)(deps, { ...sent, ...client }, { material, proofs }, trace),
    refuse: (client, mayIssue) => {
      const refused = { refresh_token, scopes, details, presented: { ...sent, ...client }, material, mayIssue };
      return repeatOrRefuse(deps, client, { ...refused, rotate }, trace);
    },
  };
  return issueOrRefuse(deps, credentials, attempt, trace);
}

async function rotate(
  deps: Deps,
  presented: PresentedRefreshToken & RefreshToken,
  { material, proofs }: Writing,
  trace: Trace,
): Promise<GrantedTokens | undefined> {
  const { database, config } = deps;
  const successor_salt = createSuccessorSalt();
  const successor = deriveSuccessors(presented, successor_salt, deps.sessionSecrets[0] ?? '');
  const rotation = {
    access_token_sha256: credentialKey(successor.access_token),
    access_token_ttl: config.access_token_ttl,
    successor_salt,
    successor_sha256: successor.refresh_token_sha256,
    refresh_token_ttl: config.refresh_token_ttl,
    ...presented,
    ...trace,
  };
  const issued = await rotateRefreshToken(database, rotation, proofs);
  if (!issued) return undefined;
  noteUseOfSecret(deps, presented);
  const { client_id } = presented;
  return issuedTokens(deps, 'tokens_refreshed', { ...issued, client_id }, { ...successor, material }, trace);
}
