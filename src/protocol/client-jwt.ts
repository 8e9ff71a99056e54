import { errors, type JWK, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';

export type { JWK };

// What all JWTs that clients sign have in common: assertions [7523], DPoP proofs [9449] and request objects [9101].

/**
 * The signature algorithms of FAPI 2.0 §5.4.1: none of them is symmetric, and RS256 is not among them. The last two are the same
 * under an older and a newer name [9864 §2.2].
 */
export const clientAlgorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519'] as const;

/** Seconds by which the clock of a client may be ahead. FAPI 2.0 §5.3.2.1 accepts 10 and refuses 60. */
export const clockTolerance = 30;

/** Characters of a JWT, also of an access token; a longer one is refused before anything of it is read. */
export const maxJwtLength = 8192;

export const compareClocks = 'compare the clock of the client with those of this server and of its database';

/** What the signer of a JWT learns whose `exp`, `iat` or `nbf` is too far from now. */
export const untimelyFault = `its exp, iat or nbf is too far from now; ${compareClocks}`;

/**
 * The payload of a JWT with a valid signature by an accepted algorithm; undefined for any other text. `iat` and `nbf` may be a
 * little in the future, `exp` must not be in the past: otherwise `untimely`.
 */
export async function verifyClientJwt(
  text: string,
  key: JWTVerifyGetKey,
  options: Pick<JWTVerifyOptions, 'typ' | 'audience'> = {},
): Promise<JWTPayload | 'untimely' | undefined> {
  if (text.length > maxJwtLength) return undefined;
  try {
    const { payload } = await jwtVerify(text, key, { algorithms: [...clientAlgorithms], clockTolerance, ...options });
    const { iat = 0, exp = Number.POSITIVE_INFINITY } = payload;
    const now = Date.now() / 1000;
    return iat > now + clockTolerance || exp <= now ? 'untimely' : payload;
  } catch (error) {
    if (isUntimely(error)) return 'untimely';
    if (isFaultOfJwt(error)) return undefined;
    throw error;
  }
}

/** jose verifies the signature first. A time that is no number is another fault. */
function isUntimely(error: unknown): boolean {
  if (error instanceof errors.JWTExpired) return true;
  return error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf' && error.reason === 'check_failed';
}

/** jose reports faults of a key by the errors of Web Cryptography and of Node, too. */
export function isFaultOfJwt(error: unknown): boolean {
  return error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
}
