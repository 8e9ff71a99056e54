import type { KeyObject } from 'node:crypto';
import { isClientId } from './client-id.ts';
import { clockTolerance, verifyClientJwt } from './client-jwt.ts';
import { isOfType, type Jwt } from './jwt.ts';

/** The only client_assertion_type that this server knows [7523 §2.2]. */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Seconds for which an assertion can be valid: until then the server remembers that it was used. */
const maxLifetime = 3600;

/** A valid assertion, which must be refused when it is used again. */
export interface Assertion {
  jti: string;
  /** seconds since 1970 */
  exp: number;
  /** the earliest time at which it can have been made, in the same unit */
  made_at: number;
}

/** Returns the client that an assertion names as its issuer and its subject [7523 §3]. Nothing of it is verified yet. */
export function clientOfAssertion({ claims: { iss, sub } }: Jwt): string | undefined {
  return typeof sub === 'string' && iss === sub && isClientId(sub) ? sub : undefined;
}

/** The audiences that name this server. */
export interface Audience {
  names: readonly string[];
  /** `text`: the assertion has one audience, as a string; `one`: one, as a string or as the only element of an array */
  number: 'text' | 'one' | 'several';
}

/**
 * Verifies an assertion and returns it if its signature, audience and lifetime are valid; `untimely` if it is too early or too late.
 * Whether it was used before is not checked here.
 */
export function verifyAssertion(
  jwt: Jwt,
  key: KeyObject | undefined,
  audience: Audience,
): Assertion | 'untimely' | undefined {
  const claims = verifyClientJwt(jwt, key);
  if (!claims || claims === 'untimely') return claims;
  const { aud, jti, iat, exp } = claims;
  const isValid = isAssertion(jwt) && isMeantForUs(aud, audience) && typeof jti === 'string' && jti.length > 0;
  if (!isValid || exp === undefined) return undefined;
  const isTooLong = exp > Date.now() / 1000 + maxLifetime + clockTolerance;
  return isTooLong ? 'untimely' : { jti, exp, made_at: iat ?? exp - maxLifetime };
}

/**
 * Whether a JWT may be an assertion: one that says that it is of another kind, such as a request object, proves nothing here [8725
 * §3.11].
 */
function isAssertion(jwt: Jwt): boolean {
  return jwt.header.typ === undefined || isOfType(jwt, 'jwt') || isOfType(jwt, 'client-authentication+jwt');
}

/** Whether an assertion is meant for this server alone; one that also names another server is refused: that server could use it here. */
function isMeantForUs(aud: unknown, { names, number }: Audience): boolean {
  const named: unknown[] = [aud ?? []].flat();
  if (named.length === 0 || !named.every((one) => names.some((name) => name === one))) return false;
  return number === 'text' ? typeof aud === 'string' : number === 'several' || named.length === 1;
}
