import { withoutSecrets } from './secrets.ts';

/** One permission a person can grant, under the group it is shown in. */
export interface Permission {
  name: string;
  group_name: string;
  sentence: string;
  /** whether it lets something be changed, rather than only read */
  changes: boolean;
}

/** All permissions this server knows, in the order in which people read them. */
export type ScopeCatalogue = readonly Permission[];

/** scope-token of RFC 6749 §3.3, separated by spaces or, as some software does, by commas. */
const scopeSyntax = /^[\x21\x23-\x2B\x2D-\x5B\x5D-\x7E]+(?:[ ,]+[\x21\x23-\x2B\x2D-\x5B\x5D-\x7E]+)*$/;

/** Asked for by libraries made for OpenID Connect, and worth nothing here: beside other names they are passed over. */
const meaningless: readonly string[] = ['openid', 'offline_access'];

/** The names in a scope, once each; undefined when it is malformed. */
function namesIn(scope: string): string[] | undefined {
  if (!scopeSyntax.test(scope)) return undefined;
  const names = [...new Set(scope.split(/[ ,]+/))];
  const meant = names.filter((name) => !meaningless.includes(name));
  return meant.length > 0 ? meant : names;
}

const isNamed = (names: readonly string[], { name, group_name }: Permission) =>
  names.includes(name) || names.includes(group_name);

/**
 * The members that a request names, directly or by their group; of a group those that the client registered, so that one
 * that joins it later changes nothing. Undefined when the scope is malformed, or a name in it stands for nothing registered.
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
 * The members that a request of software written for GitHub names. As at GitHub a name that stands for nothing here, or
 * for nothing that the client registered, is ignored; if none is left, the request is for the name of the user.
 */
export function readGithubScope(
  catalogue: ScopeCatalogue,
  scope: string,
  registered: readonly string[],
): string[] | undefined {
  const names = namesIn(scope)?.map((name) => githubNames[name] ?? name);
  const offered = catalogue.filter(({ name }) => registered.includes(name));
  const named = offered.filter((permission) => isNamed(names ?? [], permission));
  const members = (named.length > 0 ? named : offered.filter(({ name }) => name === 'user:name')).map(
    ({ name }) => name,
  );
  return names && members.length > 0 ? members : undefined;
}

/** A scope as the answer repeats it: each name once, separated by spaces [6749 §3.3]. */
export function spelledAsRequested(scope: string): string | undefined {
  return namesIn(scope)?.join(' ');
}

/** Why readScope refused, naming the names: in the characters of an error description, and cut where they do not end. */
export function scopeProblem(catalogue: ScopeCatalogue, scope: string, registered: readonly string[]): string {
  const names = namesIn(scope);
  if (!names) return 'scope is malformed';
  if (names.includes('openid')) return 'scope openid: this server does no OpenID Connect';
  const unknown = names.filter((name) => !catalogue.some((permission) => isNamed([name], permission)));
  if (unknown.length > 0) return `scope is unknown here: ${excerpt(unknown)}`;
  const offered = catalogue.filter(({ name }) => registered.includes(name));
  const refused = names.filter((name) => !offered.some((permission) => isNamed([name], permission)));
  return `scope is not registered for this client: ${excerpt(refused)}`;
}

export const excerpt = (names: readonly string[]) => withoutSecrets(names.join(' ')).slice(0, 200);

/** Writes members for an answer: a group that is granted in full by its name, a partial one by its members. */
export function writeScope(catalogue: ScopeCatalogue, members: readonly string[], separator = ' '): string {
  const isFull = (group: string) =>
    catalogue.every(({ name, group_name }) => group_name !== group || members.includes(name));
  const names = catalogue
    .filter(({ name }) => members.includes(name))
    .map(({ name, group_name }) => (isFull(group_name) ? group_name : name));
  return [...new Set(names)].join(separator);
}

export function isWithin(members: readonly string[], limit: readonly string[]): boolean {
  return members.every((member) => limit.includes(member));
}
