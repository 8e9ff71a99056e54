import { randomBytes } from 'node:crypto';
import type { Trace } from '../audit/audit.sql.ts';
import { recordAct, recordRegistration } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { limitFailures } from '../identity/failed-authentications.ts';
import { isClientId } from '../lib/client-id.ts';
import { type SelfStatement, wireNameOf } from '../lib/client-members.ts';
import { type ErrorCode, OAuthError } from '../lib/errors.ts';
import { createSecret, digestOf } from '../lib/secrets.ts';
import { hostsOf, liesWithin, siteOf, sitesAround } from '../lib/site.ts';
import type { RegistrationProblem } from '../postgres/refused-values.sql.ts';
import { authenticationMethodsOf } from './client.ts';
import { findAnyClient } from './clients.sql.ts';
import { hasUsableInvitation } from './invitations.sql.ts';
import {
  changeSelfRegistration,
  deleteSelfRegistration,
  findBuriedName,
  findSelfRegistration,
  hasBarredSite,
  registerItself,
  type SelfRegisteredClient,
  type SelfRegistration,
} from './self-registrations.sql.ts';

/** Registrations and changes of one network in a quarter of an hour. */
export const freeSelfRegistrations = 30;

/** What a client states about itself [7591 §2]; a client without a name is called by its client_id. */
export type ClientMetadata = Omit<SelfStatement, 'name' | 'token_endpoint_auth_method'> & {
  name: string | undefined;
  token_endpoint_auth_method: string;
  /** the methods of which `token_endpoint_auth_method` was chosen; null: the client stated only that */
  offered_methods: string[] | null;
};

/** A registration with the secrets that only this answer shows. */
export interface Registered {
  client: SelfRegisteredClient;
  client_secret: string | null;
  registration_access_token: string;
}

/** Checks an invitation before anything else that a stranger has sent: a worthless invitation must cost next to nothing. */
export async function requireInvitation(deps: Deps, trace: Trace, initial_access_token: string): Promise<void> {
  const isUsable = await hasUsableInvitation(deps.database, digestOf(initial_access_token));
  if (!isUsable) await refuseToken(deps, trace, invitationFault);
}

const invitationFault = 'initial access token unknown, expired, used up or withdrawn';

/** Makes the client_id here, so that a registration never touches an existing client [7591 §3.2.1]. */
export async function acceptRegistration(
  deps: Deps,
  trace: Trace,
  metadata: ClientMetadata,
  initial_access_token: string | undefined,
): Promise<Registered> {
  const client_id = `app-${randomBytes(16).toString('hex')}`;
  const hasSecret = metadata.token_endpoint_auth_method.startsWith('client_secret_');
  const client_secret = hasSecret ? createSecret('client_secret') : null;
  const registration_access_token = createSecret('registration_access_token');
  const registration = await registrationOf(deps, client_id, metadata);
  const isInvited = initial_access_token !== undefined;
  const secrets = {
    client_secret,
    token_sha256: digestOf(registration_access_token),
    invitation_sha256: isInvited ? digestOf(initial_access_token) : undefined,
  };
  const detail = isInvited ? 'by itself, with an invitation' : 'by itself';
  const recorded = { ...trace, event: 'client_registered', client_id, detail } as const;
  const { isDone, problems } = await recordRegistration(deps, recorded, () =>
    registerItself(deps.database, registration, secrets, recorded),
  );
  refuseProblems(problems, registration);
  if (!isDone) return refuseToken(deps, trace, invitationFault);
  const client = await findOwnClient(deps, trace, client_id, registration_access_token);
  return { client, client_secret, registration_access_token };
}

/** Finds the client whose registration access token is presented [7592 §2]. */
export async function findOwnClient(
  deps: Deps,
  trace: Trace,
  client_id: string,
  token: string,
): Promise<SelfRegisteredClient> {
  const { database } = deps;
  const isPossible = isClientId(client_id);
  const client = isPossible ? await findSelfRegistration(database, client_id, digestOf(token)) : undefined;
  if (client) return client;
  const any = isPossible ? await findAnyClient(database, client_id) : undefined;
  const known = any && (any.disabled_at ? 'client disabled' : 'registration access token wrong');
  return refuseToken(deps, trace, known ?? 'client unknown', any?.client_id);
}

/** Counts the failure, and refuses a token that was looked up. */
async function refuseToken(deps: Deps, trace: Trace, reason: string, client_id?: string): Promise<never> {
  await limitFailures(deps, trace);
  throw invalidRegistrationToken(reason, client_id);
}

/** Replaces the whole registration [7592 §2.2]. What an operator has taken from the client does not come back. */
export async function changeOwnClient(
  deps: Deps,
  trace: Trace,
  { before, token, metadata }: { before: SelfRegisteredClient; token: string; metadata: ClientMetadata },
): Promise<SelfRegisteredClient> {
  const { client_id } = before;
  const registration = await registrationOf(deps, client_id, metadata);
  const moves = registration.site_domain !== before.site_domain;
  const detail = moves ? 'by itself, to another site: all that it was granted ended' : 'by itself';
  const recorded = { ...trace, event: 'client_changed', client_id, detail } as const;
  const { isDone, problems } = await recordRegistration(deps, recorded, () =>
    changeSelfRegistration(deps.database, registration, digestOf(token), recorded),
  );
  refuseProblems(problems, registration);
  const client = await findOwnClient(deps, trace, client_id, token);
  if (!isDone) throw forbiddenChange(client, metadata);
  return client;
}

function forbiddenChange(client: SelfRegisteredClient, { token_endpoint_auth_method }: ClientMetadata): OAuthError {
  const { client_id } = client;
  // the codes and tokens of a confidential client must not become usable without its secret or key
  const description = authenticationMethodsOf(client).includes(token_endpoint_auth_method)
    ? 'scope can only be narrowed: register another client'
    : 'token_endpoint_auth_method cannot change between none, a secret, a key and a certificate';
  return new OAuthError('invalid_client_metadata', description, { client_id });
}

export async function deleteOwnClient(deps: Deps, trace: Trace, client_id: string, token: string): Promise<void> {
  const event = { event: 'client_deleted', client_id, detail: 'by itself' } as const;
  const isDeleted = await recordAct(deps, trace, event, (recorded) =>
    deleteSelfRegistration(deps.database, client_id, digestOf(token), recorded),
  );
  if (!isDeleted) throw invalidRegistrationToken('client disabled', client_id);
}

/** The refusal has a challenge, as for any bearer token [7591 §3; 7592 §2]. */
export function invalidRegistrationToken(reason: string, client_id?: string): OAuthError {
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  const description = 'the token is unknown, expired, used up or withdrawn';
  return new OAuthError('invalid_token', description, {
    headers,
    reason,
    ...(client_id !== undefined && { client_id }),
  });
}

async function registrationOf(deps: Deps, client_id: string, metadata: ClientMetadata): Promise<SelfRegistration> {
  await refuseHosts(deps, hostsOf(metadata.redirect_uris));
  const site_domain = siteOf(metadata.redirect_uris);
  return { ...metadata, client_id, name: metadata.name ?? client_id, site_domain };
}

/**
 * Refuses the host of this server and the hosts below it, and sites that an operator has stopped, with all hosts below them: a new
 * registration must not get around that.
 */
export async function refuseHosts({ config, database }: Deps, hosts: readonly string[]): Promise<void> {
  const { hostname } = new URL(config.issuer);
  const remote = hosts.filter((host) => host !== 'localhost');
  const leadsHere = remote.some((host) => liesWithin(host, hostname));
  if (leadsHere) throw new OAuthError('invalid_redirect_uri', 'redirect_uris: they lead to this server');
  if (await hasBarredSite(database, remote.flatMap(sitesAround))) throw new BarredSiteError();
}

/** Thrown when an operator has disabled an application of the same site. */
export class BarredSiteError extends OAuthError {
  constructor() {
    super('invalid_redirect_uri', 'redirect_uris: an application of this site was disabled');
  }
}

/**
 * Throws an error that names one member and the rules that it breaks: the sentences of the rules quote values. Where a redirection URI
 * is wrong, so is the site.
 */
export function refuseProblems(problems: readonly RegistrationProblem[], registered: RegisteredUris): void {
  const problem = problems.find(({ field }) => field === 'redirect_uris') ?? problems[0];
  if (!problem) return;
  const [code, member] = membersOf.get(problem.field) ?? ['invalid_client_metadata', wireNameOf(problem.field)];
  const alike = problems.filter(({ field }) => field === problem.field).slice(0, 10);
  throw new OAuthError(code, `${member}: ${alike.map((one) => brokenRule(one, registered)).join(', ')}`);
}

interface RegisteredUris {
  redirect_uris: readonly string[];
  site_domain?: string | null | undefined;
}

/** A rule in words: `outside domain app.example (URI 2)` is about the second redirection URI. */
function brokenRule({ field, rule, value }: RegistrationProblem, { redirect_uris, site_domain }: RegisteredUris) {
  const at = field === 'redirect_uris' && value !== null ? redirect_uris.indexOf(value) : -1;
  const words = rule.replaceAll('_', ' ');
  return [words, rule === 'outside_domain' && site_domain, at >= 0 && `(URI ${at + 1})`].filter(Boolean).join(' ');
}

/** Problems that are reported as problems of another member. */
const membersOf: ReadonlyMap<string, [ErrorCode, string]> = new Map([
  ['redirect_uris', ['invalid_redirect_uri', 'redirect_uris']],
  ['site_domain', ['invalid_redirect_uri', 'redirect_uris']],
  // the other bindings are the only ones that can be stated
  ['token_type', ['invalid_client_metadata', 'tls_client_certificate_bound_access_tokens']],
]);

/**
 * Returns the refusal of a client_id at an authorization endpoint. Unknown and disabled clients get the same answer, which only the log
 * tells apart; the person whose application was deleted, because nobody used it any more, reads what to do. So does a person who follows
 * a link of a client that somebody else develops: its client_id cannot be guessed.
 */
export async function unknownClient({ database }: Deps, client_id: string): Promise<OAuthError> {
  const client = await findAnyClient(database, client_id);
  if (client?.only_for && !client.disabled_at) {
    const details = { status: 400, is_for_another: true };
    return new OAuthError(
      'invalid_client',
      'the client is for local development: only its developer can use it',
      details,
    );
  }
  const reason = client ? 'client disabled' : 'client unknown';
  const buried_name = await findBuriedName(database, client_id);
  const details = { status: 400, reason, buried_name };
  return new OAuthError('invalid_client', 'client_id names no application registered here', details);
}
