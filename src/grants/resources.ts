import type { Deps } from '../deps.ts';
import { OAuthError, type RefusalTarget } from '../protocol/errors.ts';
import { thisServer } from '../protocol/resource.ts';
import type { Client } from '../store/clients.ts';
import { findResources } from '../store/resources.ts';
import { invalidGrant } from './token-response.ts';

/** The resources of an authorization request, and the scopes of its client that at least one of them knows. */
export interface RequestedResources {
  resources: string[];
  offered: string[];
}

/**
 * Refuses an authorization request for a resource that is not registered, that knows no scope of the client [8707 §2], or that
 * could not tell who presents its tokens. All get the same answer, so that nobody finds out which resources exist.
 */
export async function requireResources(
  { database }: Deps,
  { scopes, token_binding }: Client,
  named: readonly string[],
  target: RefusalTarget,
): Promise<RequestedResources> {
  const resources = named.length > 0 ? [...named] : [thisServer];
  const others = resources.filter((one) => one !== thisServer);
  const found = others.length > 0 ? await findResources(database, others) : [];
  const known = new Map([[thisServer, scopes], ...found.map((one) => [one.resource, one.scopes] as const)]);
  // other servers cannot verify a MAC, and would take a JWT from whoever holds it
  const isPossible = (one: string) => one === thisServer || token_binding !== 'mac';
  const refused = resources.find((one) => !isPossible(one) || !scopes.some((scope) => known.get(one)?.includes(scope)));
  if (refused !== undefined) {
    const description = 'resource names nothing for which this client can get a token';
    const known_reason = isPossible(refused) ? 'resource knows no scope of the client' : 'client has MAC tokens';
    const reason = known.has(refused) ? known_reason : 'resource unknown';
    throw new OAuthError('invalid_target', description, { target, reason, owner_reason: description });
  }
  return { resources, offered: scopes.filter((scope) => resources.some((one) => known.get(one)?.includes(scope))) };
}

/** The resource for which a token request is, among those of its code; the statements choose the same (newResource). */
export function requireAuthorized(resources: readonly string[], named: string | undefined): string {
  const resource = named ?? (resources.length === 1 ? resources[0] : undefined);
  if (resource === undefined) throw invalidTarget('resource missing, the code has several');
  if (!resources.includes(resource)) throw invalidTarget('resource not requested at authorization');
  return resource;
}

/** The refusal when the statement found nothing wrong but the scopes of the new token: none of them is in force at the resource. */
export function nothingLeft(resource: string): OAuthError {
  if (resource === thisServer) return invalidGrant({ reason: 'nothing left of its scope' });
  return invalidTarget('nothing left of the scope at the resource');
}

/** Of a token request [8707 §2.2]. It spends neither the code nor the refresh token. */
export function invalidTarget(reason: string): OAuthError {
  const description =
    'resource must be one of the authorization request, still registered, and know a granted scope; it can be left out if there is only one';
  return new OAuthError('invalid_target', description, { reason });
}
