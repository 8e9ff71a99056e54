import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { namedResource } from '../../catalogue/resources.sql.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { authenticateClient, type ClientCredentials, proofsOf, useProofsWith } from '../../clients/client.ts';
import { readClientCredentials } from '../../clients/client-authentication.ts';
import type { Rule } from '../../clients/client-rules.sql.ts';
import { byCurrentClient } from '../../clients/current-client.ts';
import { readDpopProof } from '../../clients/dpop-proof.ts';
import { noteUseOfSecret } from '../../clients/last-use.ts';
import type { ProofDigests } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import { dpopBinding } from '../../lib/binding.ts';
import { OAuthError } from '../../lib/errors.ts';
import { macAlgorithm } from '../../lib/mac.ts';
import { codeChallengeOf } from '../../lib/pkce.ts';
import { createRefreshToken } from '../../lib/refresh-token.ts';
import {
  readGithubScope,
  readScope,
  type ScopeCatalogue,
  scopeProblem,
  spelledAsRequested,
  writeScope,
} from '../../lib/scope.ts';
import { createCredential, credentialKey, isSecret, secretBytes } from '../../lib/secrets.ts';
import { answer, answerJson } from '../../web/answers.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, readBody } from '../../web/request-parameters.ts';
import { codeGrant, refreshGrant, tokenGrant } from '../../web/request-schemas.ts';
import { readResource } from '../authorize/requested-access.ts';
import { type Dialect, wantsJson } from '../github/dialect.ts';
import { explainCodeRefusal, type PresentedCode, redeemAuthorizationCode } from './authorization-codes.sql.ts';
import { type GrantedTokens, issuedTokens } from './credentials.ts';
import { completeMaterial, readWritingMaterial, type WritingMaterial } from './jwt-token.ts';
import { refresh } from './refresh-token.ts';
import { endByRule, reasonGone, refusalBy, refuseUnknown, requireClientRules } from './token-refusal.ts';
import { redemptionRules } from './token-rules.sql.ts';

/** The token endpoint [6749 §3.2, §4.1.3, §6]. */
export const token =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  (req, res) =>
    byCurrentClient(deps, req, async () => {
      const parameters = bodyParameters(req);
      if (dialect === 'github') parameters['grant_type'] ??= 'authorization_code';
      const trace = traceOf(req, res);
      const credentials = await readClientCredentials(deps, req, parameters, trace);
      const shown = await readDpopProof(deps, req);
      const client = { ...credentials, ...shown, dpop: shown && dpopBinding(shown.thumbprint) };
      const { grant_type } = readBody(tokenGrant, req, parameters);
      const resource = readResource(deps.config, parameters['resource']);
      const format = { isGithub: dialect === 'github', isJson: dialect === 'rfc' || wantsJson(req) };
      if (grant_type === 'authorization_code') {
        const request = readBody(codeGrant, req, parameters);
        const catalogue = await findScopeCatalogue(deps.database);
        return async () => {
          const tokens = await exchangeCode(deps, client, { ...request, resource }, trace);
          answerTokens(res, tokens, { catalogue, format });
        };
      }
      if (grant_type === 'refresh_token') {
        const { refresh_token, scope } = readBody(refreshGrant, req, parameters);
        const { catalogue, scopes } = await readRefreshScope(deps, client, { scope, dialect }, trace);
        return async () => {
          const tokens = await refresh(deps, client, { refresh_token, scopes, resource }, trace);
          if (scope === undefined) return answerTokens(res, tokens, { catalogue, format });
          const requested_scope = dialect === 'rfc' ? spelledAsRequested(catalogue, scope, tokens.scopes) : undefined;
          answerTokens(res, { ...tokens, requested_scope }, { catalogue, format });
        };
      }
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
    });

/** Reads the scope of a refresh. A refusal shows which scopes the client registered, so the client is authenticated first [6749 §6]. */
async function readRefreshScope(
  deps: Deps,
  credentials: ClientCredentials,
  { scope, dialect }: { scope: string | undefined; dialect: Dialect },
  trace: Trace,
): Promise<{ catalogue: ScopeCatalogue; scopes: string[] | undefined }> {
  if (scope === undefined) return { catalogue: await findScopeCatalogue(deps.database), scopes: undefined };
  const client = await authenticateClient(deps, credentials, trace);
  const catalogue = await findScopeCatalogue(deps.database, client.scopes.join(' '));
  const read = dialect === 'github' ? readGithubScope : readScope;
  const scopes = read(catalogue, scope, client.scopes);
  if (!scopes) throw new OAuthError('invalid_scope', scopeProblem(catalogue, scope, client.scopes));
  return { catalogue, scopes };
}

interface Format {
  /** commas between scopes, in the canonical spelling */
  isGithub: boolean;
  /** false: form-encoded, as GitHub answers */
  isJson: boolean;
}

/** Always states the scope, since the person may have granted less than the client asked for [6749 §5.1]. */
function answerTokens(
  res: Response,
  {
    access_token,
    token_type,
    mac_key,
    expires_in,
    refresh_token,
    refresh_expires_in,
    authorization_expires_in,
    scopes,
    requested_scope,
  }: GrantedTokens,
  { catalogue, format }: { catalogue: ScopeCatalogue; format: Format },
): void {
  const tokens = {
    access_token,
    token_type,
    ...(mac_key && { mac_key, mac_algorithm: macAlgorithm }),
    expires_in,
    ...(refresh_token && { refresh_token, refresh_token_expires_in: refresh_expires_in }),
    ...(authorization_expires_in !== undefined && { authorization_expires_in }),
    scope:
      (format.isGithub ? undefined : requested_scope) ?? writeScope(catalogue, scopes, format.isGithub ? ',' : ' '),
  };
  if (format.isJson) return answerJson(res, 200, tokens);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(tokens)) form.append(name, String(value));
  answer(res, 200, 'application/x-www-form-urlencoded;charset=UTF-8', form.toString());
}

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
  noteUseOfSecret(deps, client);
  const { client_id } = client;
  return issuedTokens(
    deps,
    'tokens_issued',
    { ...issued, client_id },
    { access_token, refresh_token, material },
    trace,
  );
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
