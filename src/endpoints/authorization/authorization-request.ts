import type { Request } from 'express';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { AuthorizationRequest } from '../../grants/authorization.ts';
import { refuseOtherGrants } from '../../grants/client.ts';
import type { Dialect } from '../../http/dialect.ts';
import { parameter, queryOf, readParameters } from '../../http/parameters.ts';
import { OAuthError, type RefusalTarget } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { codeChallengeSyntax } from '../../protocol/pkce.ts';
import { type Prompt, readPrompt } from '../../protocol/prompt.ts';
import { verifyRedirectUri } from '../../protocol/redirect-uri.ts';
import { readScope, type ScopeCatalogue, scopeProblem } from '../../protocol/scope.ts';
import { findAnyClient } from '../../store/clients.ts';
import { type ClientAndGrant, findClientAndGrant } from '../../store/grants.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';
import { redirectUriRefusal } from './redirect-uri-refusal.ts';

const addressSchema = z.object({ client_id: parameter(200), redirect_uri: parameter(2000).optional() });

const requestSchema = z.object({
  state: parameter(8192).optional(),
  response_type: parameter(200),
  response_mode: parameter(20, /^query$/, 'must be query').optional(),
  scope: parameter(2000).optional(),
  code_challenge: parameter(
    128,
    codeChallengeSyntax,
    'must be a SHA-256 digest in base64url: 43 characters',
  ).optional(),
  code_challenge_method: parameter(20, /^S256$/, 'must be S256').optional(),
  prompt: parameter(200).optional(),
  request: parameter(10_000).optional(),
  request_uri: parameter(2000).optional(),
});

/**
 * Two phases. First whom we may redirect to: a fault there is shown to the person and never travels, or this server
 * would be an open redirector. Then all the rest: a fault there goes to the client [6749 §4.1.2.1].
 */
export async function readAuthorizationRequest(
  deps: Deps,
  req: Request,
  dialect: Dialect,
  user_id: number | undefined,
): Promise<AuthorizationRequest> {
  const parameters = queryOf(req);
  const { client_id, redirect_uri } = readParameters(addressSchema, parameters);
  const client = await findClientAndGrant(deps.database, client_id, user_id);
  if (!client) throw await unknownClient(deps, client_id);
  const verified = verifyRedirectUri(client.redirect_uris, redirect_uri);
  if (!verified) throw redirectUriRefusal(deps, client, redirect_uri, user_id);
  const { name, site_domain, vouched } = client;
  const stranger = vouched ? undefined : { name, site_domain };
  const target = { redirect_uri: verified, state: stateOf(parameters), stranger };
  if (dialect === 'github') parameters['response_type'] ??= 'code';
  const request = readParameters(requestSchema, parameters, target);
  refuseOtherGrants(client, 'authorization_code', target);
  refuseUnsupported(request, target);
  refuseWeakProof(client, request, target);
  const catalogue = await findScopeCatalogue(deps.database);
  return {
    client,
    target,
    redirect_uri_sent: dialect === 'rfc' && redirect_uri !== undefined,
    scopes: scopesOf(catalogue, client, request.scope, target),
    code_challenge: request.code_challenge,
    prompt: promptOf(request, target),
    catalogue,
  };
}

/** A disabled application looks to a stranger like one that was never registered. */
async function unknownClient({ database }: Deps, client_id: string): Promise<OAuthError> {
  const reason = (await findAnyClient(database, client_id)) ? 'client disabled' : 'client unknown';
  return new OAuthError('invalid_client', 'client_id names no application registered here', { status: 400, reason });
}

/** Of two states neither is the client's; then none goes back. */
function stateOf({ state }: Parameters): string | undefined {
  return typeof state === 'string' ? state : undefined;
}

type RequestParameters = z.infer<typeof requestSchema>;

function refuseUnsupported({ response_type, request, request_uri }: RequestParameters, target: RefusalTarget): void {
  // ignoring a request object would mean carrying out another request than the one that was signed [9101 §5]
  if (request) throw new OAuthError('request_not_supported', 'request objects are not supported', { target });
  if (request_uri) throw new OAuthError('request_uri_not_supported', 'request_uri is not supported', { target });
  if (response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code', { target });
  }
}

/** PKCE, with S256 and nothing else; a public client has no other proof [7636 §4.4.1; 9700 §2.1.1]. */
function refuseWeakProof(client: ClientAndGrant, request: RequestParameters, target: RefusalTarget): void {
  const { code_challenge, code_challenge_method } = request;
  if (client.secrets_sha256.length === 0 && !code_challenge) {
    throw new OAuthError('invalid_request', 'code_challenge is missing: a public client must use PKCE', { target });
  }
  // a missing method means plain [7636 §4.3]
  if (code_challenge !== undefined && code_challenge_method === undefined) {
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256: it is missing, which means plain', {
      target,
    });
  }
  if (code_challenge === undefined && code_challenge_method !== undefined) {
    throw new OAuthError('invalid_request', 'code_challenge is missing beside code_challenge_method', { target });
  }
}

function promptOf({ prompt }: RequestParameters, target: RefusalTarget): Prompt {
  const values = prompt === undefined ? new Set<never>() : readPrompt(prompt);
  if (values) return values;
  const description = 'prompt must be none, or some of login, consent and select_account, separated by spaces';
  throw new OAuthError('invalid_request', description, { target });
}

/** No scope asks for all that the client registered. */
function scopesOf(
  catalogue: ScopeCatalogue,
  client: ClientAndGrant,
  scope: string | undefined,
  target: RefusalTarget,
): string[] {
  if (scope === undefined) return client.scopes;
  const scopes = readScope(catalogue, scope, client.scopes);
  if (scopes) return scopes;
  throw new OAuthError('invalid_scope', scopeProblem(catalogue, scope, client.scopes), { target });
}
