import type { z } from 'zod';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { isPublic, requireGrantType } from '../../clients/client.ts';
import { updateFromDocument } from '../../clients/client-document.ts';
import type { Client } from '../../clients/clients.sql.ts';
import { unknownClient } from '../../clients/self-registration.ts';
import type { Deps } from '../../deps.ts';
import { type Binding, dpopBinding } from '../../lib/binding.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import type { Prompt } from '../../lib/prompt.ts';
import { publicHttpsUrl } from '../../lib/public-address.ts';
import { type LoopbackHosts, verifyRedirectUri } from '../../lib/redirect-uri.ts';
import { responseModeFor, responseModeProblem } from '../../lib/response-mode.ts';
import { ignoredScopeNote, type ScopeCatalogue, withoutOfflineAccess } from '../../lib/scope.ts';
import { rulesFor } from '../../lib/security-profile.ts';
import { type RequiredSignIn, signInForScopes, strictest } from '../../lib/step-up.ts';
import { readParameters } from '../../web/request-parameters.ts';
import { authorizationDestination, authorizationRequest } from '../../web/request-schemas.ts';
import { type RequestedChoice, requestedChoices } from '../choice/requested-choices.ts';
import { type ClientAndGrant, findClientAndGrant } from '../consent/grants.sql.ts';
import { type Dialect, issuerOf } from '../github/dialect.ts';
import type { PushedRequestKey } from './pushed-request.ts';
import {
  type AccessRequester,
  askableScopes,
  askedScopes,
  readResources,
  requireResources,
} from './requested-resources.ts';
import { promptOf, signInForRequest } from './sign-in-parameters.ts';
import { unverifiedRedirectUri } from './unverified-redirect-uri.ts';

/** A valid authorization request [6749 §4.1.1], what it and its scopes demand of the sign-in, and what the person granted to its client before. */
export interface AuthorizationRequest extends RequiredSignIn {
  client: ClientAndGrant;
  /** where the answer goes */
  target: RefusalTarget;
  /** whether the token request must repeat the redirection URI; software written for GitHub never does */
  redirect_uri_sent: boolean;
  /** members of groups, within what the client registered */
  scopes: string[];
  /** what the person chooses for these scopes */
  choices: readonly RequestedChoice[];
  /** the scopes that the client asked for, also those that no named resource knows */
  asked: readonly string[];
  /** the scope parameter as the client spelled it; the token response repeats it if all of it was granted */
  requested_scope: string | undefined;
  /** where the scopes shall apply; `thisServer` if the request names no resource */
  resources: string[];
  /** what the developer should know of a request that is accepted */
  note: string | undefined;
  /** whether the client learns the username even without the scope user:name, as software written for GitHub expects */
  gives_username: boolean;
  code_challenge: string | undefined;
  /** the key without which the code is of no use */
  binding: Binding;
  /** the key of the pushed request, if the request was pushed */
  pushed: PushedRequestKey | undefined;
  prompt: Prompt;
  catalogue: ScopeCatalogue;
}

const used: ReadonlySet<string> = new Set([
  ...Object.keys({ ...authorizationDestination.shape, ...authorizationRequest.shape }),
  'resource',
  'authorization_details',
  'login_hint',
]);

/** Whether this server reads a parameter of an authorization request; others mean nothing [6749 §3.1]. */
export const isUsed = (name: string): boolean => used.has(name);

/** An authorization request as it came. */
export interface SentRequest {
  parameters: Parameters;
  /** if the query referred to it */
  pushed?: PushedRequestKey;
  /** the client that has just authenticated to push it */
  pushedBy?: Client;
}

/** Who sends an authorization request, and how. */
interface Requester {
  dialect: Dialect;
  user_id: number | undefined;
  address: string;
}

/**
 * Reads an authorization request, wherever its parameters come from. Faults of client_id and redirect_uri are shown to the
 * person: redirecting there would make this server an open redirector. All other faults go to the client [6749 §4.1.2.1].
 */
export async function readAuthorizationRequest(
  deps: Deps,
  sentRequest: SentRequest,
  requester: Requester,
): Promise<AuthorizationRequest> {
  const { parameters, pushed, pushedBy } = sentRequest;
  const { dialect } = requester;
  const { client, target } = await findDestination(deps, sentRequest, requester);
  const sent = dialect === 'github' ? { response_type: 'code', ...parameters } : parameters;
  const request = readParameters(authorizationRequest, sent, target);
  requireGrantType(client, 'authorization_code', target);
  // a request object is accepted only where it is pushed
  const mustPush = client.require_pushed_authorization_requests || client.require_signed_request_object;
  if (mustPush && !pushed && !pushedBy) {
    throw new OAuthError('invalid_request', 'this client must push its authorization requests', { target });
  }
  refuseUnsupported(request, target);
  refuseInvalidPkce(client, request, target);
  const named = readResources(deps.config, parameters['resource'], target);
  const wanted = { named, scope: withoutOfflineAccess(request.scope) };
  const askable = await askableScopes(deps, client, wanted);
  const catalogue = await findScopeCatalogue(deps.database, askable.join(' '));
  const access = await readRequestedAccess(deps, wanted, { client, target, catalogue, dialect, askable });
  return {
    client,
    target,
    pushed,
    redirect_uri_sent: dialect === 'rfc' && parameters['redirect_uri'] !== undefined,
    ...access,
    choices: await requestedChoices(deps, parameters['authorization_details'], { client, target, ...access }),
    ...strictest([signInForRequest(deps, request, target), signInForScopes(catalogue, access.scopes)]),
    requested_scope: dialect === 'rfc' ? request.scope : undefined,
    note: request.scope && ignoredScopeNote(request.scope),
    gives_username: dialect === 'github',
    code_challenge: request.code_challenge,
    binding: request.dpop_jkt === undefined ? null : dpopBinding(request.dpop_jkt),
    prompt: promptOf(request, target),
    catalogue,
  };
}

/** The client with the person's earlier grant, and the verified redirection URI. Errors thrown here have no target. */
async function findDestination(
  deps: Deps,
  { parameters, pushedBy }: SentRequest,
  { dialect, user_id, address }: Requester,
): Promise<{ client: ClientAndGrant; target: RefusalTarget }> {
  const { client_id, redirect_uri } = readParameters(authorizationDestination, parameters);
  if (!pushedBy) await updateFromDocument(deps, client_id, address);
  const client = pushedBy ? { ...pushedBy, grant: null } : await findClientAndGrant(deps.database, client_id, user_id);
  if (!client) throw await unknownClient(deps, client_id);
  const isComplete = redirect_uri !== undefined || !rulesFor(client).always_needs_redirect_uri;
  const verified = isComplete && verifyRedirectUri(client.redirect_uris, redirect_uri, loopbackHostsOf(client));
  if (!verified) throw unverifiedRedirectUri(deps, client, redirect_uri, user_id);
  const issuer = issuerOf(deps.config, dialect);
  const answer = { client_id, redirect_uri: verified, state: stateOf(parameters), issuer };
  const response_mode = responseModeFor(parameters['response_mode'], answer);
  const unvouched = client.vouched ? undefined : { name: client.name };
  return { client, target: { ...answer, response_mode, unvouched } };
}

/** Native applications register both spellings of this device, and nobody vouches for them; a document is written for all servers. */
function loopbackHostsOf(client: Client): LoopbackHosts {
  const isNative = isPublic(client) && (!client.vouched || publicHttpsUrl(client.client_id) !== undefined);
  return isNative ? 'literals and localhost' : 'literals';
}

/** A state that was sent twice is not returned: neither of the two is certain to be the client's. */
function stateOf({ state }: Parameters): string | undefined {
  return typeof state === 'string' ? state : undefined;
}

type RequestParameters = z.infer<typeof authorizationRequest>;

function refuseUnsupported(sent: RequestParameters, target: RefusalTarget): void {
  const { response_type, response_mode, request } = sent;
  // not ignored: the parameters beside a request object may differ from the signed ones [9101 §5]
  if (request) throw new OAuthError('request_not_supported', 'request objects are supported at /par only', { target });
  if (response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code', { target });
  }
  const problem = response_mode && responseModeProblem(response_mode, target.response_mode);
  if (problem) throw new OAuthError('invalid_request', problem, { target });
}

/** The only code_challenge_method is S256. A public client must use PKCE, having no secret [9700 §2.1.1], and FAPI 2.0 demands it of all. */
function refuseInvalidPkce(client: ClientAndGrant, request: RequestParameters, target: RefusalTarget): void {
  const { code_challenge, code_challenge_method } = request;
  if (!code_challenge && (isPublic(client) || rulesFor(client).always_needs_pkce)) {
    throw new OAuthError('invalid_request', 'code_challenge is missing: this client must use PKCE', { target });
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

/**
 * Where the client wants access, and to what: the requested scopes that it may ask for, or all that it registered,
 * without those that none of the resources knows [8707 §2.2].
 */
async function readRequestedAccess(
  deps: Deps,
  { named, scope }: { named: readonly string[]; scope: string | undefined },
  requester: AccessRequester,
): Promise<Pick<AuthorizationRequest, 'resources' | 'scopes' | 'asked'>> {
  const { client, target } = requester;
  const asked = scope === undefined ? undefined : askedScopes(requester, scope);
  const { resources, offered } = await requireResources(deps, { named, asked }, requester);
  const scopes = (asked ?? client.scopes).filter((name) => offered.includes(name));
  if (scopes.length > 0) return { resources, scopes, asked: asked ?? scopes };
  throw new OAuthError('invalid_scope', 'scope names nothing that the resource knows', { target });
}
