import type { Deps } from '../deps.ts';
import { codeChallengeOf } from '../protocol/pkce.ts';
import { createCredential, credentialKey, isSecret } from '../protocol/secrets.ts';
import type { Trace } from '../store/audit.ts';
import { explainCodeRefusal, type PresentedCode, redeemAuthorizationCode } from '../store/authorization-codes.ts';
import type { Rule } from '../store/rules.ts';
import { redemptionRules } from '../store/token-rules.ts';
import { logEvent } from './audit.ts';
import { type ClientCredentials, useProofsWith } from './client.ts';
import { completeMaterial, readWritingMaterial } from './credentials.ts';
import { noteLastUse } from './last-use.ts';
import type { WritingMaterial } from './token-format.ts';
import { endByRule, reasonGone, refusalBy, refuseUnknown, requireClientRules } from './token-refusal.ts';
import { type GrantedTokens, grantedTokens } from './token-response.ts';

interface CodeRequest {
  code: string;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
  resource: string | undefined;
}

/** A request, and what is needed to write its answer. */
interface PreparedRequest extends CodeRequest {
  material: WritingMaterial;
  /** whether its proofs are used up; otherwise it can only be refused */
  is_counted: boolean;
}

/** The authorization code grant [6749 §4.1.3]. One statement redeems the code. */
export async function exchangeCode(
  deps: Deps,
  client: ClientCredentials,
  request: CodeRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const material = await readWritingMaterial(deps, trace);
  const is_counted = await useProofsWith(deps, client, trace, credentialKey(request.code));
  const prepared = { ...request, material, is_counted };
  const isPossible = is_counted && isSecret('authorization_code', request.code);
  return isPossible ? redeem(deps, client, prepared, trace) : refuseCode(deps, client, prepared, trace);
}

async function redeem(
  deps: Deps,
  client: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const access_token = createCredential('access_token');
  const refresh_token = createCredential('refresh_token');
  const issued = await redeemAuthorizationCode(database, {
    ...presentedCode(client, request),
    access_token_sha256: credentialKey(access_token),
    refresh_token_sha256: credentialKey(refresh_token),
    access_token_ttl: config.access_token_ttl,
    refresh_token_ttl: config.refresh_token_ttl,
    ...trace,
  });
  if (!issued) return refuseCode(deps, client, request, trace);
  const { user_id, code_id } = issued;
  const { client_id } = client;
  logEvent(deps, trace, { event: 'tokens_issued', user_id, client_id, code_id });
  noteLastUse(deps, issued.grant_to_touch);
  return grantedTokens(deps, { ...issued, client_id }, { access_token, refresh_token }, request.material);
}

function presentedCode(
  client: ClientCredentials,
  { code, redirect_uri, code_verifier, resource, material }: PreparedRequest,
): PresentedCode {
  const code_challenge = code_verifier && codeChallengeOf(code_verifier);
  const can_sign = material.key !== undefined;
  return { ...client, code_sha256: credentialKey(code), redirect_uri, code_challenge, resource, can_sign };
}

/**
 * Refuses by the first rule that is broken, and does what that rule costs. Redeems the code after all if nothing was missing but the
 * key that signs its token.
 */
async function refuseCode(
  deps: Deps,
  client: ClientCredentials,
  request: PreparedRequest,
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
  await endByRule(deps, rule, { ...refused, client_id: client.client_id }, trace);
  if (broken === 'signable' && request.is_counted) {
    const material = await completeMaterial(deps, refused.resource, request.material, trace);
    if (material) return redeem(deps, client, { ...request, material }, trace);
  }
  throw refusalBy(rule, refused.resource);
}
