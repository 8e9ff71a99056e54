import { withoutSecrets } from './secrets.ts';
import type { Level } from './sign-in-level.ts';

/** A permission that a person can grant, with the group in which it is shown. */
export interface Permission {
  name: string;
  group_name: string;
  /** what pages call the group, also in other languages; null: pages show its name */
  group_sentence: string | null;
  group_sentences: Readonly<Record<string, string>> | null;
  sentence: string;
  /** the sentence in other languages, by their tags */
  sentences: Readonly<Record<string, string>>;
  /** whether the permission allows changes, not only reading */
  changes: boolean;
  /** which level of sign-in the permission demands, if any, see lib/step-up.ts */
  acr: Level | null;
  max_age: number | null;
}

/** All permissions of this server, in the order in which they are shown. */
export type ScopeCatalogue = readonly Permission[];

/** scope-tokens of RFC 6749 §3.3, separated by spaces or, as some software does, by commas. */
const scopeSyntax = /^[\x21\x23-\x2B\x2D-\x5B\x5D-\x7E]+(?:[ ,]+[\x21\x23-\x2B\x2D-\x5B\x5D-\x7E]+)*$/;

/**
 * Scopes that OpenID Connect libraries send, and why they mean nothing here. They are ignored if the request names other scopes,
 * too.
 */
const meaningless: ReadonlyMap<string, string> = new Map([['openid', 'this server does no OpenID Connect']]);

/**
 * Many clients refresh only where they may ask for this scope. It grants nothing and no page shows it: a client gets a refresh token by
 * its registration. The answer repeats it if it has a refresh token [OpenID Connect Core 1.0 §11].
 */
export const offlineAccess = 'offline_access';

export function asksOfflineAccess(scope: string | undefined): boolean {
  return scope?.split(/[ ,]+/).includes(offlineAccess) ?? false;
}

/** A scope without offline_access; undefined, as if the request had no scope, if that is all it names. */
export function withoutOfflineAccess(scope: string | undefined): string | undefined {
  if (scope === undefined || !scopeSyntax.test(scope) || !asksOfflineAccess(scope)) return scope;
  const others = scope.split(/[ ,]+/).filter((name) => name !== offlineAccess);
  return others.length > 0 ? others.join(' ') : undefined;
}

/** The names in a scope, once each; undefined when it is malformed. */
export function namesIn(scope: string): string[] | undefined {
  if (!scopeSyntax.test(scope)) return undefined;
  const names = [...new Set(scope.split(/[ ,]+/))];
  const meant = names.filter((name) => !meaningless.has(name));
  return meant.length > 0 ? meant : names;
}

/** The names that an operator types, whether such scopes exist or not. */
export function splitScope(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((name) => name !== '');
}

/** What is ignored in a scope, as a note to the developer; undefined if nothing is. */
export function ignoredScopeNote(scope: string): string | undefined {
  const names = [...meaningless.keys()].filter((name) => scope.split(/[ ,]+/).includes(name));
  if (names.length === 0) return undefined;
  return names.map((name) => `scope ${name} was ignored: ${meaningless.get(name)}`).join('; ');
}

const isNamed = (names: readonly string[], { name, group_name }: Permission) =>
  names.includes(name) || names.includes(group_name);

/** Whether each name in a scope means something; true for a malformed scope, which no catalogue makes good. */
export function knowsAll(catalogue: ScopeCatalogue, scope: string): boolean {
  const names = namesIn(scope) ?? [];
  return names.every((name) => catalogue.some((permission) => isNamed([name], permission)));
}

/**
 * The permissions that a scope names, directly or by their group; of a group only those that the client registered, so that
 * adding a permission to a group later grants nothing. Undefined if the scope is malformed or names one that is not registered.
 */
export function readScope(
  catalogue: ScopeCatalogue,
  scope: string,
  registered: readonly string[],
): string[] | undefined {
  const names = namesIn(scope);
  const offered = catalogue.filter(({ name }) => registered.includes(name));
  if (!names?.every((name) => offered.some((permission) => isNamed([name], permission)))) return undefined;
  return offered.filter((permission) => isNamed(names, permission)).map(({ name }) => name);
}

/** The names of GitHub's scopes that stand for others here; all others are spelled alike. */
const githubNames: Readonly<Record<string, string>> = { 'read:user': 'user:name' };

/**
 * The permissions that a request of software written for GitHub names. As at GitHub, names that are unknown or not registered
 * for the client are ignored; if none is left, the request is for the name of the user.
 */
export function readGithubScope(
  catalogue: ScopeCatalogue,
  scope: string,
  registered: readonly string[],
): string[] | undefined {
  const offered = catalogue.filter(({ name }) => registered.includes(name));
  // a scope of the operator may have one of these names
  const isOffered = (name: string) => offered.some((permission) => isNamed([name], permission));
  const names = namesIn(scope)?.map((name) => (isOffered(name) ? name : (githubNames[name] ?? name)));
  const named = offered.filter((permission) => isNamed(names ?? [], permission));
  const members = (named.length > 0 ? named : offered.filter(({ name }) => name === 'user:name')).map(
    ({ name }) => name,
  );
  return names && members.length > 0 ? members : undefined;
}

/**
 * Granted members as the client spelled them: each name once, separated by spaces [6749 §3.3]. Undefined unless the names
 * mean exactly these members, so that a group of which only a part was granted is not repeated.
 */
export function spelledAsRequested(
  catalogue: ScopeCatalogue,
  scope: string,
  granted: readonly string[],
): string | undefined {
  const names = namesIn(scope) ?? [];
  const members = catalogue.filter((permission) => isNamed(names, permission)).map(({ name }) => name);
  return isWithin(members, granted) && isWithin(granted, members) ? names.join(' ') : undefined;
}

/** The names of a scope that are known here, of software that was not written for this server alone; undefined if there is none. */
export function knownScope(catalogue: ScopeCatalogue, scope: string): string | undefined {
  const names = namesIn(scope)?.filter((name) => catalogue.some((permission) => isNamed([name], permission)));
  return names?.join(' ') || undefined;
}

/** Explains why readScope refused a scope: an error description with the names in question. */
export function scopeProblem(catalogue: ScopeCatalogue, scope: string, registered: readonly string[]): string {
  const names = namesIn(scope);
  if (!names) return 'scope is malformed';
  const [name] = names.filter((name) => meaningless.has(name));
  if (name !== undefined) return `scope ${name}: ${meaningless.get(name)}`;
  const unknown = names.filter((name) => !catalogue.some((permission) => isNamed([name], permission)));
  if (unknown.length > 0) return `scope is unknown here: ${excerpt(unknown)}`;
  const offered = catalogue.filter(({ name }) => registered.includes(name));
  const refused = names.filter((name) => !offered.some((permission) => isNamed([name], permission)));
  return `scope is not registered for this client: ${excerpt(refused)}`;
}

export const excerpt = (names: readonly string[]) => withoutSecrets(names.join(' '), 200);

/**
 * The scope of a response: a group that is granted in full by its name, a partial one by its members. One that was registered since the
 * catalogue was read stands for itself.
 */
export function writeScope(catalogue: ScopeCatalogue, members: readonly string[], separator = ' '): string {
  const isFull = (group: string) =>
    catalogue.every(({ name, group_name }) => group_name !== group || members.includes(name));
  const names = catalogue
    .filter(({ name }) => members.includes(name))
    .map(({ name, group_name }) => (isFull(group_name) ? group_name : name));
  const others = members.filter((member) => catalogue.every(({ name }) => name !== member));
  return [...new Set([...names, ...others])].join(separator);
}

/** The names by which the scope of a response can say that a permission is granted. */
export function statedAs(catalogue: ScopeCatalogue, member: string | undefined): string[] {
  const [permission] = catalogue.filter(({ name }) => name === member);
  return permission ? [...new Set([permission.name, permission.group_name])] : [];
}

export function isWithin(members: readonly string[], limit: readonly string[]): boolean {
  return members.every((member) => limit.includes(member));
}

/** The developer's reason for a scope; a scope may be called "constructor". */
export const reasonForScope = (reasons: Readonly<Record<string, string>>, scope: string): string | undefined =>
  Object.hasOwn(reasons, scope) ? reasons[scope] : undefined;
