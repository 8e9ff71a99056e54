import { findOnlyResourceWith, findResources } from '../../catalogue/resources.sql.ts';
import type { Client } from '../../clients/clients.sql.ts';
import { mayAskForMore } from '../../clients/origins.sql.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { ownScopes } from '../../lib/profile.ts';
import { maxResources, resourceMaxLength, resourceSyntax, spellingsOf, thisServer } from '../../lib/resource.ts';
import { readGithubScope, readScope, type ScopeCatalogue, scopeProblem } from '../../lib/scope.ts';
import { type AskedDetails, readAuthorizationDetails } from '../choice/authorization-details.ts';
import { claimScopes } from '../claims/claims.ts';
import type { Dialect } from '../github/dialect.ts';

type Sent = Parameters[string] | undefined;

/** The values of `resource`, once each: the only parameter that may be repeated [8707 §2]. */
export function readResources({ issuer }: Config, sent: Sent, target?: RefusalTarget): string[] {
  const named = [...new Set([sent ?? []].flat())];
  const refuse = (problem: string) => new OAuthError('invalid_target', `resource ${problem}`, target && { target });
  if (named.length > maxResources) throw refuse(`has more than ${maxResources} values`);
  if (!named.every((one) => one.length <= resourceMaxLength && resourceSyntax.test(one)))
    throw refuse('is not an absolute URI without a fragment, or is too long');
  return named.map((one) => (spellingsOf(one).includes(issuer) ? thisServer : one));
}

/** Which part of what was authorized a token request asks for, beside scopes. */
export interface AskedPart {
  resource: string | undefined;
  details?: AskedDetails | undefined;
}

export function readAskedPart(config: Config, { resource, authorization_details }: Parameters): AskedPart {
  return { resource: readResource(config, resource), details: readAuthorizationDetails(authorization_details) };
}

/** The resource of a token request; a token is for one resource, so that no other server can use it there. */
function readResource(config: Config, sent: Sent): string | undefined {
  const [resource, ...others] = readResources(config, sent);
  if (others.length === 0) return resource;
  throw new OAuthError('invalid_target', 'resource has more than one value: a token is for one resource');
}

/**
 * What a client may ask for: what it registered. A client that came by itself may also ask for what the resources that it names know, as
 * far as that means nothing at this server: it registers before an MCP server says which scopes an operation needs [MCP 2026-07-28,
 * Step-Up Authorization Flow].
 */
export async function askableScopes(
  deps: Deps,
  client: Client,
  { named, scope }: { named: readonly string[]; scope: string | undefined },
): Promise<readonly string[]> {
  const others = named.filter((one) => one !== thisServer);
  if (scope === undefined || others.length === 0 || !mayAskForMore(client)) return client.scopes;
  const known = (await findResources(deps.database, others.flatMap(spellingsOf))).flatMap(({ scopes }) => scopes);
  const own = await scopesOfThisServer(deps);
  return [...new Set([...client.scopes, ...known.filter((one) => !own.includes(one))])];
}

/** Where an authorization request asks for access: the resources that it names, and the scopes that it asks for. */
interface Asked {
  named: readonly string[];
  asked: readonly string[] | undefined;
}

/** Who asks for access, and how. */
export interface AccessRequester {
  client: Client;
  target: RefusalTarget;
  dialect: Dialect;
  catalogue: ScopeCatalogue;
  /** see askableScopes */
  askable: readonly string[];
}

/** The scopes that a request names. */
export function askedScopes({ catalogue, askable, target, dialect }: AccessRequester, scope: string): string[] {
  const read = dialect === 'github' ? readGithubScope : readScope;
  const scopes = read(catalogue, scope, askable);
  if (scopes) return scopes;
  throw new OAuthError('invalid_scope', scopeProblem(catalogue, scope, askable), { target });
}

/**
 * The resources of an authorization request, and what its client registered or asks for that at least one of them knows. Refuses a
 * request for a resource that is not registered, that knows none of these scopes [8707 §2], or that could not tell who presents its
 * tokens. All get the same answer, so that nobody finds out which resources exist.
 */
export async function requireResources(
  deps: Deps,
  { named: sent, asked }: Asked,
  { client, target, dialect }: AccessRequester,
): Promise<{ resources: string[]; offered: string[] }> {
  const { token_binding } = client;
  const scopes = [...client.scopes, ...(asked ?? [])];
  const isImplied = sent.length === 0 && dialect === 'rfc' && token_binding !== 'mac';
  const named = isImplied && asked ? await impliedResources(deps, asked) : sent;
  const others = named.filter((one) => one !== thisServer);
  const found = others.length > 0 ? await findResources(deps.database, others.flatMap(spellingsOf)) : [];
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
async function impliedResources(deps: Deps, asked: readonly string[]): Promise<string[]> {
  const own = await scopesOfThisServer(deps);
  if (asked.length === 0 || asked.some((scope) => own.includes(scope))) return [];
  const resource = await findOnlyResourceWith(deps.database, asked);
  return resource === undefined ? [] : [resource];
}

/** Scopes that mean something at this server. */
const scopesOfThisServer = async (deps: Deps) => [...ownScopes, ...(await claimScopes(deps))];
