import type { Claims } from './jwt.ts';

const maxMethods = 10;

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value.length <= maxLength && /^[\x21-\x7e]+$/.test(value);

/** Reads how another place says that somebody has signed in there [OpenID Connect Core §2]. What is malformed says nothing. */
export function authenticationIn({ acr, amr }: Claims): {
  acr: string | undefined;
  amr: readonly string[] | undefined;
} {
  const isList = Array.isArray(amr) && amr.length <= maxMethods && amr.every((one) => isText(one, 40));
  return { acr: isText(acr, 100) ? acr : undefined, amr: isList ? amr : undefined };
}
