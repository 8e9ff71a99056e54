import { randomBytes } from 'node:crypto';
import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import { namedResource } from '../../catalogue/resources.sql.ts';
import { type ClientCredentials, proofsOf, useProofsWith } from '../../clients/client.ts';
import { noteUseOfSecret } from '../../clients/last-use.ts';
import type { Rule } from '../../clients/rules.sql.ts';
import type { ProofDigests } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import { codeChallengeOf } from '../../lib/pkce.ts';
import { createRefreshToken } from '../../lib/refresh-token.ts';
import { createCredential, credentialKey, isSecret, secretBytes } from '../../lib/secrets.ts';
import { noteLastUse } from '../consent/grants.sql.ts';
import { explainCodeRefusal, type PresentedCode, redeemAuthorizationCode } from './authorization-codes.sql.ts';
import { type GrantedTokens, grantedTokens } from './credentials.ts';
import { completeMaterial, readWritingMaterial, type WritingMaterial } from './jwt-token.ts';
import { endByRule, reasonGone, refusalBy, refuseUnknown, requireClientRules } from './token-refusal.ts';
import { redemptionRules } from './token-rules.sql.ts';

interface CodeRequest {
  code: string;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
  resource: string | undefined;
}

/** A request, and what is needed to write its answer. */
interface PreparedRequest extends CodeRequest {
  code_sha256: Buffer;
  material: WritingMaterial;
  /** the proofs that the redemption has to use up; absent if they are used up already */
  proofs?: ProofDigests | undefined;
}

/** The authorization code grant [6749 §4.1.3]. One statement redeems the code. */
export async function exchangeCode(
  deps: Deps,
  client: ClientCredentials,
  request: CodeRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const code_sha256 = credentialKey(request.code);
  const prepared = { ...request, code_sha256, material: await readWritingMaterial(deps, trace) };
  const isPossible = isSecret('authorization_code', request.code);
  const proofs = proofsOf(client);
  const redeemed = isPossible && (await redeem(deps, client, { ...prepared, proofs }, trace));
  if (redeemed) return redeemed;
  // a refused request uses up its proofs, too; those of a client for which nobody vouches are counted first
  const proven = await useProofsWith(deps, client, trace, code_sha256);
  const late = proofs && proven && isPossible && (await redeem(deps, proven, prepared, trace));
  return late || refuseCode(deps, proven ?? client, { ...prepared, isCounted: proven !== undefined }, trace);
}

/** Undefined if it is refused. */
async function redeem(
  deps: Deps,
  client: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens | undefined> {
  const { database, config } = deps;
  const { material, proofs } = request;
  // at once: half as expensive as one after the other
  const bits = randomBytes(2 * secretBytes);
  const access_token = createCredential('access_token', bits.subarray(0, secretBytes));
  const family = { family_key: request.code_sha256, generation: 0 };
  const sessionSecret = deps.sessionSecrets[0] ?? '';
  const { refresh_token, refresh_token_sha256 } = createRefreshToken(sessionSecret, family, bits.subarray(secretBytes));
  const redemption = {
    access_token_sha256: credentialKey(access_token),
    refresh_token_sha256,
    access_token_ttl: config.access_token_ttl,
    refresh_token_ttl: config.refresh_token_ttl,
    ...presentedCode(client, request),
    ...trace,
  };
  const issued = await redeemAuthorizationCode(database, redemption, proofs);
  if (!issued) return undefined;
  const { user_id, code_id } = issued;
  const { client_id } = client;
  logEvent(deps, trace, { event: 'tokens_issued', user_id, client_id, code_id });
  noteLastUse(deps.database, issued.grant_to_touch);
  noteUseOfSecret(deps, client);
  return grantedTokens(deps, { ...issued, client_id }, { access_token, refresh_token }, material);
}

function presentedCode(
  client: ClientCredentials,
  { code_sha256, redirect_uri, code_verifier, resource, material }: PreparedRequest,
): PresentedCode {
  const code_challenge = code_verifier && codeChallengeOf(code_verifier);
  const can_sign = material.key !== undefined;
  return { code_sha256, redirect_uri, code_challenge, can_sign, ...namedResource(resource), ...client };
}

/**
 * Refuses by the first rule that is broken, and does what that rule costs. Redeems the code after all if nothing was missing but the
 * key that signs its token.
 */
async function refuseCode(
  deps: Deps,
  client: ClientCredentials,
  request: PreparedRequest & { isCounted: boolean },
  trace: Trace,
): Promise<GrantedTokens> {
  const refused = await explainCodeRefusal(deps.database, presentedCode(client, request));
  const [broken] = refused?.broken ?? [];
  if (!refused || broken === undefined) throw reasonGone();
  // whoever stole a code but cannot authenticate as its client must not be able to end the person's tokens [6819 §4.4.1.12]
  await requireClientRules(deps, client, broken, trace);
  if (broken === 'code_known') {
    const { may_be_anybody } = refused;
    return refuseUnknown(deps, 'authorization_code', { text: request.code, may_be_anybody }, trace);
  }
  const rule: Rule = redemptionRules[broken];
  await endByRule(deps, rule, refused, trace);
  const material =
    broken === 'signable' && request.isCounted
      ? await completeMaterial(deps, refused.resource, request.material, trace)
      : undefined;
  const redeemed = material && (await redeem(deps, client, { ...request, material }, trace));
  if (redeemed) return redeemed;
  throw refusalBy(rule, refused.resource);
}
