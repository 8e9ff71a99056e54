import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { AuthorizationRequest } from '../../grants/authorization.ts';
import { isPublic, requireGrantType } from '../../grants/client.ts';
import { type Dialect, issuerOf } from '../../http/dialect.ts';
import { parameter, readParameters } from '../../http/parameters.ts';
import { clientIdMaxLength } from '../../protocol/client-id.ts';
import { OAuthError, type RefusalTarget } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { codeChallengeSyntax } from '../../protocol/pkce.ts';
import { type Prompt, readPrompt } from '../../protocol/prompt.ts';
import { redirectUriMaxLength, verifyRedirectUri } from '../../protocol/redirect-uri.ts';
import { readGithubScope, readScope, scopeProblem } from '../../protocol/scope.ts';
import { findAnyClient } from '../../store/clients.ts';
import { type ClientAndGrant, findClientAndGrant } from '../../store/grants.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';

const destinationSchema = z.object({
  client_id: parameter(clientIdMaxLength),
  redirect_uri: parameter(redirectUriMaxLength).optional(),
});

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
 * Reads an authorization request, wherever its parameters come from. Faults of client_id and redirect_uri are shown to the
 * person: redirecting there would make this server an open redirector. All other faults go to the client [6749 §4.1.2.1].
 */
export async function readAuthorizationRequest(
  deps: Deps,
  parameters: Parameters,
  { dialect, user_id }: { dialect: Dialect; user_id: number | undefined },
): Promise<AuthorizationRequest> {
  const { client, target } = await findDestination(deps, parameters, { dialect, user_id });
  const sent = dialect === 'github' ? { response_type: 'code', ...parameters } : parameters;
  const request = readParameters(requestSchema, sent, target);
  requireGrantType(client, 'authorization_code', target);
  refuseUnsupported(request, target);
  refuseInvalidPkce(client, request, target);
  const catalogue = await findScopeCatalogue(deps.database);
  return {
    client,
    target,
    redirect_uri_sent: dialect === 'rfc' && parameters['redirect_uri'] !== undefined,
    scopes: scopesOf({ catalogue, client, target, dialect }, request.scope),
    requested_scope: dialect === 'rfc' ? request.scope : undefined,
    gives_username: dialect === 'github',
    code_challenge: request.code_challenge,
    prompt: promptOf(request, target),
    catalogue,
  };
}

/** The client with the person's earlier grant, and the verified redirection URI. Errors thrown here have no target. */
async function findDestination(
  deps: Deps,
  parameters: Parameters,
  { dialect, user_id }: { dialect: Dialect; user_id: number | undefined },
): Promise<{ client: ClientAndGrant; target: RefusalTarget }> {
  const { client_id, redirect_uri } = readParameters(destinationSchema, parameters);
  const client = await findClientAndGrant(deps.database, client_id, user_id);
  if (!client) throw await unknownClient(deps, client_id);
  const verified = verifyRedirectUri(client.redirect_uris, redirect_uri);
  if (!verified) throw unverifiedRedirectUri(deps, client, redirect_uri, user_id);
  const { name, site_domain, vouched } = client;
  const unvouched = vouched ? undefined : { name, site_domain };
  return {
    client,
    target: { redirect_uri: verified, state: stateOf(parameters), issuer: issuerOf(deps.config, dialect), unvouched },
  };
}

/** Unknown and disabled clients get the same answer; only the log tells them apart. */
async function unknownClient({ database }: Deps, client_id: string): Promise<OAuthError> {
  const reason = (await findAnyClient(database, client_id)) ? 'client disabled' : 'client unknown';
  return new OAuthError('invalid_client', 'client_id names no application registered here', { status: 400, reason });
}

/** The owner of the client sees how the URI differs from the registered ones; in the demo everybody does. */
function unverifiedRedirectUri(
  { config }: Deps,
  { owner_id, redirect_uris: registered }: ClientAndGrant,
  redirect_uri: string | undefined,
  user_id: number | undefined,
): OAuthError {
  const is_shown = config.demo || (user_id !== undefined && owner_id === user_id);
  return new OAuthError('invalid_request', 'redirect_uri is missing or is not registered for this client', {
    reason: redirect_uri === undefined ? 'redirect_uri missing' : 'redirect_uri not registered',
    mismatch: { received: redirect_uri ?? '', registered, is_shown },
  });
}

/** A state that was sent twice is not returned: neither of the two is certain to be the client's. */
function stateOf({ state }: Parameters): string | undefined {
  return typeof state === 'string' ? state : undefined;
}

type RequestParameters = z.infer<typeof requestSchema>;

function refuseUnsupported({ response_type, request, request_uri }: RequestParameters, target: RefusalTarget): void {
  // not ignored: the parameters beside a request object may differ from the signed ones [9101 §5]
  if (request) throw new OAuthError('request_not_supported', 'request objects are not supported', { target });
  if (request_uri) throw new OAuthError('request_uri_not_supported', 'request_uri is not supported', { target });
  if (response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code', { target });
  }
}

/** The only code_challenge_method is S256; a public client must use PKCE, having no secret [7636 §4.4.1; 9700 §2.1.1]. */
function refuseInvalidPkce(client: ClientAndGrant, request: RequestParameters, target: RefusalTarget): void {
  const { code_challenge, code_challenge_method } = request;
  if (isPublic(client) && !code_challenge) {
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

/** A request without scope means all scopes that the client registered. */
function scopesOf(
  {
    catalogue,
    client,
    target,
    dialect,
  }: Pick<AuthorizationRequest, 'catalogue' | 'client' | 'target'> & { dialect: Dialect },
  scope: string | undefined,
): string[] {
  if (scope === undefined) return client.scopes;
  const read = dialect === 'github' ? readGithubScope : readScope;
  const scopes = read(catalogue, scope, client.scopes);
  if (scopes) return scopes;
  throw new OAuthError('invalid_scope', scopeProblem(catalogue, scope, client.scopes), { target });
}
