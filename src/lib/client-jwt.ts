import type { KeyObject } from 'node:crypto';
import { type Claims, isSignedBy, type Jwt } from './jwt.ts';

// What all JWTs that clients sign have in common: assertions [7523], DPoP proofs [9449] and request objects [9101].

/**
 * The signature algorithms of FAPI 2.0 §5.4.1: none of them is symmetric, and RS256 is not among them. The last two are the same
 * under an older and a newer name [9864 §2.2].
 */
export const clientAlgorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519'] as const;

/** The algorithms of assertions. RS256 counts for some clients only: see clients/client-assertion.ts. */
export const assertionAlgorithms = [...clientAlgorithms, 'RS256'] as const;

/** Seconds by which the clock of a client may be ahead. FAPI 2.0 §5.3.2.1 accepts 10 and refuses 60. */
export const clockTolerance = 30;

export const compareClocks = 'compare the clock of the client with those of this server and of its database';

/** What the signer is told about a JWT whose `exp`, `iat` or `nbf` is too far from now. */
export const untimelyFault = `its exp, iat or nbf is too far from now; ${compareClocks}`;

/** The times of a JWT, in seconds since 1970 [7519 §4.1]. */
interface Times {
  iat?: number;
  nbf?: number;
  exp?: number;
}

/**
 * Returns the claims of a JWT that the key has signed; undefined without such a signature. `iat` and `nbf` may be a little in the
 * future, `exp` must not be in the past: otherwise `untimely`.
 */
export function verifyClientJwt(jwt: Jwt, key: KeyObject | undefined): (Claims & Times) | 'untimely' | undefined {
  if (!key || !isSignedBy(key, jwt) || !hasTimes(jwt.claims)) return undefined;
  const { iat = 0, nbf = 0, exp = Number.POSITIVE_INFINITY } = jwt.claims;
  const now = Date.now() / 1000;
  return Math.max(iat, nbf) > now + clockTolerance || exp <= now ? 'untimely' : jwt.claims;
}

function hasTimes(claims: Claims): claims is Claims & Times {
  return ['iat', 'nbf', 'exp'].every((name) => ['number', 'undefined'].includes(typeof claims[name]));
}
