import { isPublic } from '../../clients/client.ts';
import { thisServer } from '../../lib/resource.ts';
import { isWithin } from '../../lib/scope.ts';
import { rulesFor } from '../../lib/security-profile.ts';
import type { AuthorizationRequest } from '../authorize/authorization-request.ts';
import { withChoice } from '../choice/requested-choices.ts';
import type { ConsentChange } from './consent.view.ts';
import type { RememberedGrant } from './grants.sql.ts';

type Decided = Pick<AuthorizationRequest, 'scopes' | 'resources' | 'choices'>;

/** Each scope, with the choice that belongs to it, at each resource, as a grant records what its forms showed: names contain no # and no @. */
export function decisionsIn({ scopes, resources, choices }: Decided): string[] {
  return scopes
    .map((scope) => withChoice(choices, scope))
    .flatMap((scope) => resources.map((resource) => (resource === thisServer ? scope : `${scope}@${resource}`)));
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
    (changeOf(request) === undefined || (grant.silent && asksNobody(request))) &&
    (grant.gives_username || !request.gives_username);
  return answersRequest ? grant : undefined;
}

/** Whether the operator says that the client asks nobody, and no other program on a device gets the client's answer [8252 §8.6]. */
export function asksNobody({ client, target, prompt }: AuthorizationRequest): boolean {
  const isPossible = client.vouched && !rulesFor(client).asks_each_time && target.redirect_uri.startsWith('https://');
  return client.consent === 'none' && isPossible && !prompt.has('consent');
}

/** Who is asked, and in which state of their sessions, see StoredSession. */
export interface Asked {
  user_id: number;
  sessions_version: string;
}

/** Whether the person knows the application but was never asked for this permission, or not at these resources. */
export function isNewPermission(request: AuthorizationRequest, scope: string): boolean {
  const { grant } = request.client;
  return grant !== null && !isWithin(decisionsIn({ ...request, scopes: [scope] }), grant.decided);
}

/** Whether the client has another name, or a redirection URI that it did not have, since the person last decided. */
export function changeOf({ client: { redirect_uris, grant } }: AuthorizationRequest): ConsentChange | undefined {
  if (grant === null) return undefined;
  const change = { renamed_from: grant.renamed_from, has_new_address: !isWithin(redirect_uris, grant.redirect_uris) };
  return change.renamed_from !== null || change.has_new_address ? change : undefined;
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
