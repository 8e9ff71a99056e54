/** One permission a person can grant, under the group it is shown in. */
export interface Permission {
  name: string;
  group_name: string;
  sentence: string;
}

/** All permissions this server knows, in the order in which people read them. */
export type ScopeCatalogue = readonly Permission[];

/** scope-token of RFC 6749 §3.3, separated by spaces or, as some software does, by commas. */
const scopeSyntax = /^[\x21\x23-\x2B\x2D-\x5B\x5D-\x7E]+(?:[ ,]+[\x21\x23-\x2B\x2D-\x5B\x5D-\x7E]+)*$/;

/**
 * The members that a request names, directly or by their group; of a group those that the client registered, so that one
 * that joins it later changes nothing. Undefined when the scope is malformed, or a name in it stands for nothing registered.
 */
export function readScope(
  catalogue: ScopeCatalogue,
  scope: string,
  registered: readonly string[],
): string[] | undefined {
  if (!scopeSyntax.test(scope)) return undefined;
  const offered = catalogue.filter(({ name }) => registered.includes(name));
  const names = new Set(scope.split(/[ ,]+/));
  const known = new Set(offered.flatMap(({ name, group_name }) => [name, group_name]));
  if (![...names].every((name) => known.has(name))) return undefined;
  return offered.filter(({ name, group_name }) => names.has(name) || names.has(group_name)).map(({ name }) => name);
}

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
