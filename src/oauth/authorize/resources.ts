import { findOnlyResourceWith, findResources } from '../../catalogue/resources.sql.ts';
import type { Client } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import { ownScopes } from '../../lib/profile.ts';
import { spellingsOf, thisServer } from '../../lib/resource.ts';
import { claimScopes } from '../claims/claims.ts';

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
  const others = named.filter((one) => one !== thisServer);
  const found = others.length > 0 ? await findResources(database, others.flatMap(spellingsOf)) : [];
  const known = new Map([[thisServer, scopes], ...found.map((one) => [one.resource, one.scopes] as const)]);
  const registered = named.map((one) => [one, ...spellingsOf(one)].find((spelling) => known.has(spelling)) ?? one);
  const resources = named.length > 0 ? [...new Set(registered)] : [thisServer];
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

/**
 * The resource that a request means which names none: the only one that knows all scopes it asks for, if none of them means
 * something at this server.
 */
export async function impliedResources(deps: Deps, asked: readonly string[]): Promise<string[]> {
  const own = [...ownScopes, ...(await claimScopes(deps))];
  if (asked.length === 0 || asked.some((scope) => own.includes(scope))) return [];
  const resource = await findOnlyResourceWith(deps.database, asked);
  return resource === undefined ? [] : [resource];
}
