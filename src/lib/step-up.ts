import { isTooOld } from './prompt.ts';
import type { ScopeCatalogue } from './scope.ts';
import type { Level } from './sign-in-level.ts';

// What an application, or a scope, demands of the sign-in behind a token [9470].

/** The lowest level that a sign-in may have, and the seconds for which it may be old. */
export interface RequiredSignIn {
  level: Level | undefined;
  max_age: number | undefined;
}

/** The sign-in behind a session or a token; null where it is unknown. */
export interface SignIn {
  acr: Level | null;
  /** seconds since then */
  auth_age: number | null;
}

/** Names without spaces, separated by one each; an application may have more of them than this server knows. */
export const acrValuesSyntax = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** The lowest level that is named: any of the names is enough. Undefined if this server knows none of them. */
export function levelNamed(acr_values: string, names: readonly string[]): Level | undefined {
  const asked = acr_values.split(' ');
  return ([1, 2] as const).find((level) => asked.includes(names[level - 1] ?? ''));
}

/** The sign-in that meets all of the requirements. */
export function strictest(required: readonly RequiredSignIn[]): RequiredSignIn {
  const levels = required.flatMap(({ level }) => level ?? []);
  const ages = required.flatMap(({ max_age }) => max_age ?? []);
  return {
    level: levels.includes(2) ? 2 : levels[0],
    max_age: ages.length > 0 ? Math.min(...ages) : undefined,
  };
}

/** The sign-in that the scopes require together. */
export function signInForScopes(catalogue: ScopeCatalogue, scopes: readonly string[]): RequiredSignIn {
  const scoped = catalogue.filter(({ name }) => scopes.includes(name));
  return strictest(scoped.map(({ acr, max_age }) => ({ level: acr ?? undefined, max_age: max_age ?? undefined })));
}

export const isTooWeak = ({ acr }: Pick<SignIn, 'acr'>, { level }: RequiredSignIn): boolean =>
  level !== undefined && (acr === null || acr < level);

export const isMetBy = (required: RequiredSignIn, signIn: SignIn): boolean =>
  !isTooWeak(signIn, required) && !isTooOld(signIn.auth_age, required.max_age);
