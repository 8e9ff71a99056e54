import type { Deps } from '../deps.ts';
import { rulesFor } from '../protocol/client-profile.ts';
import { OAuthError } from '../protocol/errors.ts';
import { codeChallengeOf } from '../protocol/pkce.ts';
import { createCredential, credentialKey, isSecret, keyOf } from '../protocol/secrets.ts';
import type { Trace } from '../store/audit.ts';
import { redeemAuthorizationCode } from '../store/authorization-codes.ts';
import { findBindingFaultOfCode } from '../store/bindings.ts';
import type { Client } from '../store/clients.ts';
import { revokeAuthorizationCode } from '../store/families.ts';
import type { TokenFacts } from '../store/token-facts.ts';
import { audit, logEvent } from './audit.ts';
import { requireBinding } from './binding.ts';
import { authenticateClient, type ClientCredentials, limitGuesses, requireGrantType, useProofsWith } from './client.ts';
import { completeMaterial, readWritingMaterial } from './credentials.ts';
import { noteLastUse } from './last-use.ts';
import { nothingLeft, requireAuthorized } from './resources.ts';
import { explainCredential } from './token-end.ts';
import type { WritingMaterial } from './token-format.ts';
import { type GrantedTokens, grantedTokens, invalidGrant } from './token-response.ts';

interface CodeRequest {
  code: string;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
  resource: string | undefined;
}

/** A request, and what is needed to write its answer. */
interface PreparedRequest extends CodeRequest {
  material: WritingMaterial;
}

/** The authorization code grant [6749 §4.1.3]. One statement redeems the code. */
export async function exchangeCode(
  deps: Deps,
  client: ClientCredentials,
  request: CodeRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const prepared = { ...request, material: await readWritingMaterial(deps, trace) };
  const isKnown =
    (await useProofsWith(deps, client, trace, credentialKey(request.code))) &&
    isSecret('authorization_code', request.code);
  return isKnown ? redeem(deps, client, prepared, trace) : refuseCode(deps, client, prepared, trace);
}

async function redeem(
  deps: Deps,
  client: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database, config } = deps;
  const { code, redirect_uri, code_verifier, resource, material } = request;
  const access_token = createCredential('access_token');
  const refresh_token = createCredential('refresh_token');
  const issued = await redeemAuthorizationCode(database, {
    code_sha256: credentialKey(code),
    ...client,
    redirect_uri,
    code_challenge: code_verifier && codeChallengeOf(code_verifier),
    resource,
    can_sign: material.key !== undefined,
    access_token_sha256: credentialKey(access_token),
    refresh_token_sha256: credentialKey(refresh_token),
    access_token_ttl: config.access_token_ttl,
    refresh_token_ttl: config.refresh_token_ttl,
    ...trace,
  });
  if (!issued) return refuseCode(deps, client, request, trace);
  const { user_id, code_id } = issued;
  logEvent(deps, trace, { event: 'tokens_issued', user_id, client_id: client.client_id, code_id });
  noteLastUse(deps, issued.grant_to_touch);
  return grantedTokens(deps, { ...issued, client_id: client.client_id }, { access_token, refresh_token }, material);
}

/**
 * Looks up why a code was not redeemed, and revokes what came of it if it was used twice or with a wrong verifier. Redeems it after all if
 * nothing was missing but the key that signs its token.
 */
async function refuseCode(
  deps: Deps,
  client: ClientCredentials,
  request: PreparedRequest,
  trace: Trace,
): Promise<GrantedTokens> {
  const { database } = deps;
  const code_sha256 = credentialKey(request.code);
  const code_challenge = request.code_verifier && codeChallengeOf(request.code_verifier);
  // whoever stole a code but cannot authenticate as its client must not be able to end the person's tokens [6819 §4.4.1.12]
  const authenticated = await authenticateClient(deps, client, trace);
  requireGrantType(authenticated, 'authorization_code');
  const { client_id } = client;
  const revoked = await revokeAuthorizationCode(database, code_sha256, client_id, code_challenge);
  if (revoked) {
    const event = revoked.was_redeemed ? 'code_reused' : 'code_verifier_wrong';
    const { user_id, code_id } = revoked;
    await audit(deps, trace, { event, user_id, client_id, code_id });
    throw invalidGrant({ reason: revoked.was_redeemed ? 'code used before' : 'verifier wrong' });
  }
  const { facts, ...details } = await explainCredential(
    database,
    'authorization_code',
    keyOf('authorization_code', request.code),
    client_id,
  );
  if (isSecret('authorization_code', request.code) && !facts) await limitGuesses(deps, authenticated, trace);
  if (details.reason !== undefined || !facts) throw invalidGrant(details);
  if (!request.redirect_uri && facts.redirect_uri_sent) {
    throw new OAuthError('invalid_request', 'redirect_uri is missing: the authorization request carried it');
  }
  requireBinding(await findBindingFaultOfCode(database, code_sha256, client));
  const reason = differenceBetween(facts, authenticated, request.redirect_uri, code_challenge);
  if (reason !== undefined) throw invalidGrant({ reason });
  const resource = requireAuthorized(facts.resources, request.resource);
  const material = await completeMaterial(deps, resource, request.material, trace);
  if (material) return redeem(deps, client, { ...request, material }, trace);
  throw nothingLeft(resource);
}

/** What the request of its client has wrong about an active code. */
function differenceBetween(
  { code_challenge, redirect_uri }: TokenFacts,
  client: Client,
  sent_redirect_uri: string | undefined,
  sent_challenge: string | undefined,
): string | undefined {
  if (code_challenge === null && rulesFor(client).always_needs_pkce) return 'from before the client had to use PKCE';
  if (code_challenge !== null && sent_challenge === undefined) return 'verifier missing';
  if (code_challenge === null && sent_challenge !== undefined) return 'verifier for a code without a challenge';
  if (sent_redirect_uri !== undefined && sent_redirect_uri !== redirect_uri) return 'redirect URI differs';
  return undefined;
}
