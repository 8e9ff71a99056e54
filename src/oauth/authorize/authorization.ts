import type { ToldTrace, Trace } from '../../audit/audit.sql.ts';
import { logEvent, recordChange } from '../../audit/audit.ts';
import { isPublic } from '../../clients/client.ts';
import type { Deps } from '../../deps.ts';
import type { Binding } from '../../lib/binding.ts';
import type { RefusalTarget } from '../../lib/errors.ts';
import type { Prompt } from '../../lib/prompt.ts';
import { thisServer } from '../../lib/resource.ts';
import { isWithin, type ScopeCatalogue, spelledAsRequested } from '../../lib/scope.ts';
import { createCredential, credentialKey, digestOf } from '../../lib/secrets.ts';
import { rulesFor } from '../../lib/security-profile.ts';
import type { Level } from '../../lib/sign-in-level.ts';
import type { SignInDemand } from '../../lib/step-up.ts';
import { registerRefusal } from '../consent/grant-changes.sql.ts';
import {
  type ClientAndGrant,
  findClientAndGrant,
  type GrantDuration,
  type RememberedGrant,
  registerGrant,
} from '../consent/grants.sql.ts';
import { registerSilentGrant } from '../consent/silent-grants.sql.ts';
import { issueAuthorizationCode } from '../token/authorization-codes.sql.ts';
import { invalidRequestUri, type PushedRequestKey } from './pushed-request.ts';

/** A valid authorization request [6749 §4.1.1], what it and its scopes demand of the sign-in, and what the person granted to its client before. */
export interface AuthorizationRequest extends SignInDemand {
  client: ClientAndGrant;
  /** where the answer goes */
  target: RefusalTarget;
  /** whether the token request must repeat the redirection URI; software written for GitHub never does */
  redirect_uri_sent: boolean;
  /** members of groups, within what the client registered */
  scopes: string[];
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

/** Each scope at each resource, as a grant records what its forms showed: scopes contain no @. */
export function decisionsIn({ scopes, resources }: Pick<AuthorizationRequest, 'scopes' | 'resources'>): string[] {
  return scopes.flatMap((scope) =>
    resources.map((resource) => (resource === thisServer ? scope : `${scope}@${resource}`)),
  );
}

/**
 * The resources for which a person decided on any scope, granted or not: a scope that was refused and is granted later counts there
 * again.
 */
export function resourcesOf({ decided }: Pick<RememberedGrant, 'decided'>): string[] {
  return [...new Set(decided.map((one) => /@(.*)$/.exec(one)?.[1] ?? thisServer))];
}

/**
 * The earlier grant, if it answers this request without a consent page: the person decided on every scope that is requested, at
 * every resource, granted all required scopes and at least one, saw the name and all redirection URIs that the client has now, and
 * knows if the client learns the username. A public client cannot prove its identity, so its consent page is always shown [8252
 * §8.6], unless it is the operator's own at an https address.
 */
export function rememberedGrant(request: AuthorizationRequest): RememberedGrant | undefined {
  const { client, scopes, prompt } = request;
  const { grant } = client;
  if (!grant || grant.is_over || prompt.has('consent') || (isPublic(client) && !asksNobody(request))) return undefined;
  if (rulesFor(client).asks_each_time) return undefined;
  const answersRequest =
    isWithin(decisionsIn(request), grant.decided) &&
    !scopes.some((scope) => grant.to_confirm.includes(scope)) &&
    consentProblem(request, grantedOf(request, grant.scopes)) === undefined &&
    (!hasChanged(request) || (grant.silent && asksNobody(request))) &&
    (grant.gives_username || !request.gives_username);
  return answersRequest ? grant : undefined;
}

/** Whether the operator says that the client asks nobody, and no other program on a device gets the client's answer [8252 §8.6]. */
function asksNobody({ client, target, prompt }: AuthorizationRequest): boolean {
  const isPossible = client.vouched && !rulesFor(client).asks_each_time && target.redirect_uri.startsWith('https://');
  return client.consent === 'none' && isPossible && !prompt.has('consent');
}

/** Who is asked, and in which state of their sessions, see StoredSession. */
interface Asked {
  user_id: number;
  sessions_version: string;
}

/** The grant of a client that does not ask, the first time that a person uses it; undefined if the person must decide. */
export async function grantSilently(
  deps: Deps,
  trace: Trace,
  request: AuthorizationRequest,
  { user_id, sessions_version }: Asked,
): Promise<{ grant_id: string; scopes: readonly string[] } | undefined> {
  const { client, scopes, gives_username } = request;
  const { client_id, redirect_uris } = client;
  if (client.grant || !asksNobody(request) || consentProblem(request, scopes)) return undefined;
  const decided = decisionsIn(request);
  const detail = `without asking: ${decided.join(' ')}`;
  const grant = {
    user_id,
    client_id,
    granted: scopes,
    redirect_uris,
    gives_username,
    decided,
    detail,
    sessions_version,
  };
  const event = { event: 'consent_given', user_id, client_id, detail } as const;
  const register = (told: ToldTrace) => registerSilentGrant(deps.database, grant, told);
  const grant_id = await recordChange(deps, trace, event, register);
  if (grant_id !== undefined) return { grant_id, scopes };
  // another tab may have been the first
  const found = await findClientAndGrant(deps.database, client_id, user_id);
  return found && rememberedGrant({ ...request, client: found });
}

/** Whether the person knows the application but was never asked for this permission, or not at these resources. */
export function isNewPermission({ client: { grant }, resources }: AuthorizationRequest, scope: string): boolean {
  return grant !== null && !isWithin(decisionsIn({ scopes: [scope], resources }), grant.decided);
}

/** Whether the client has another name, or a redirection URI that it did not have, since the person last decided. */
export function hasChanged({ client: { redirect_uris, grant } }: AuthorizationRequest): boolean {
  return grant !== null && (grant.is_renamed || !isWithin(redirect_uris, grant.redirect_uris));
}

/** The requested scopes that are in `chosen`: what a person ticked, or what a grant has. */
export function grantedOf({ scopes }: AuthorizationRequest, chosen: readonly string[]): string[] {
  return scopes.filter((scope) => chosen.includes(scope));
}

/** Says why these scopes are no consent to the request; undefined when they are. */
export function consentProblem(
  { client, scopes }: AuthorizationRequest,
  granted: readonly string[],
): 'required_missing' | 'nothing_chosen' | undefined {
  const required = scopes.filter((scope) => client.required_scopes.includes(scope));
  // the form cannot untick a required scope; if a required scope is missing, somebody removed it, and the person did not agree to
  // it
  if (!isWithin(required, granted)) return 'required_missing';
  return granted.length === 0 ? 'nothing_chosen' : undefined;
}

/** A person's answer to one consent form, which its ticket names. */
export interface Consent extends Asked {
  ticket: string;
  granted: string[];
  duration: GrantDuration;
}

/** The id of the grant; undefined when this form was answered before, or somebody has ended the sessions of the person. */
export async function registerConsent(
  deps: Deps,
  trace: Trace,
  { client, scopes, resources, gives_username }: AuthorizationRequest,
  { user_id, sessions_version, ticket, granted, duration }: Consent,
): Promise<string | undefined> {
  const { config, database } = deps;
  const { client_id, redirect_uris } = client;
  const detail = decisionsIn({ scopes: granted, resources }).join(' ');
  const is_new = client.grant === null && duration === 'always';
  const event = { event: 'consent_given', user_id, client_id, detail, ...(is_new && { is_new }) } as const;
  const consent = {
    ticket_sha256: digestOf(ticket),
    user_id,
    sessions_version,
    client_id,
    granted,
    refused: scopes.filter((name) => !granted.includes(name)),
    redirect_uris,
    gives_username,
    decided: decisionsIn({ scopes, resources }),
    duration,
    once_ttl: config.authorization_code_ttl + config.access_token_ttl,
    detail,
  };
  return recordChange(deps, trace, event, (told) => registerGrant(database, consent, told));
}

/** False when this form was answered before, or somebody has ended the sessions of the person. */
export async function registerConsentRefusal(
  deps: Deps,
  trace: Trace,
  { client: { client_id }, pushed }: AuthorizationRequest,
  { user_id, sessions_version, ticket }: Pick<Consent, 'user_id' | 'sessions_version' | 'ticket'>,
): Promise<boolean> {
  const request_sha256 = pushed?.request_sha256 ?? null;
  const refusal = { ticket_sha256: digestOf(ticket), user_id, sessions_version, client_id, request_sha256 };
  const { is_first, is_open } = await registerRefusal(deps.database, refusal, trace);
  if (!is_open) throw invalidRequestUri();
  if (is_first) logEvent(deps, trace, { event: 'consent_refused', user_id, client_id });
  return is_first;
}

/** What a person allows, and how they have signed in, which the code and all its tokens keep [9470 §6]. */
export interface SignedInGrant {
  grant_id: string;
  scopes: readonly string[];
  /** undefined if the time is unknown */
  auth_time: Date | undefined;
  acr: Level;
}

/** A code for what the grant allows of this request; undefined when the grant was revoked meanwhile. */
export async function issueCode(
  deps: Deps,
  request: AuthorizationRequest,
  { grant_id, scopes, auth_time, acr }: SignedInGrant,
): Promise<string | undefined> {
  const { config, database } = deps;
  const code = createCredential('authorization_code');
  const { catalogue, requested_scope } = request;
  const granted = grantedOf(request, scopes);
  const { pushed } = request;
  const issued = await issueAuthorizationCode(database, {
    code_sha256: credentialKey(code),
    grant_id,
    redirect_uri: request.target.redirect_uri,
    redirect_uri_sent: request.redirect_uri_sent,
    code_challenge: request.code_challenge,
    binding: request.binding,
    scope: granted.join(' '),
    requested_scope: requested_scope && spelledAsRequested(catalogue, requested_scope, granted),
    gives_username: request.gives_username,
    resources: request.resources.join(' '),
    ttl: Math.min(config.authorization_code_ttl, rulesFor(request.client).max_code_ttl),
    auth_time: auth_time?.toISOString(),
    acr,
    request_sha256: pushed?.request_sha256,
  });
  if (issued && !issued.is_open) throw invalidRequestUri();
  return issued && code;
}
