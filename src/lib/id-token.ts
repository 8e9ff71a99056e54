import { createHash } from 'node:crypto';
import type { Claims } from './jwt.ts';
import { objectIn } from './provider-metadata.ts';

// The rules about ID tokens that openid-client leaves to its caller. It has looked at iss, aud, azp, exp, nbf, nonce, the algorithm
// and the signature.

/** Seconds by which the clock of a provider may differ from that of this server's database. */
export const clockTolerance = 30;

/** The error of times in whole seconds. */
const rounding = 1;

export interface SignInRequest {
  client_id: string;
  /** when the person was sent to the provider, and the present time, in seconds since 1970 by the clock of the database */
  began_at: number;
  now: number;
  /** how old the person's authentication may be when the sign-in began; 0 with prompt=login */
  max_age: number | undefined;
  access_token: string;
  algorithm: string;
}

/** Says in fixed words why an ID token is not accepted; undefined for a sound ID token. */
export function idTokenFault(claims: Claims, request: SignInRequest): string | undefined {
  const { client_id, began_at, now, access_token, algorithm } = request;
  const { azp, iat, at_hash } = claims;
  if (azp !== undefined && azp !== client_id) return 'azp of its ID token names another client';
  // an ID token contains the nonce of this sign-in, so it cannot be older
  if (typeof iat !== 'number' || iat < began_at - clockTolerance || iat > now + clockTolerance) {
    return 'iat of its ID token is not between the beginning of the sign-in and now: compare the clocks';
  }
  if (at_hash !== undefined && at_hash !== accessTokenHash(access_token, algorithm)) {
    return 'at_hash of its ID token is that of another access token';
  }
  return undefined;
}

/** Says why it is not certain that the person has signed in at the provider as lately as was demanded. */
export function authTimeFault(
  { auth_time, iat: issued_at }: Claims,
  { began_at, now, max_age }: SignInRequest,
): string | undefined {
  if (auth_time === undefined) {
    return max_age === undefined ? undefined : 'its ID token lacks auth_time, although max_age was sent';
  }
  if (typeof auth_time !== 'number' || !Number.isInteger(auth_time) || auth_time <= 0) {
    return 'auth_time of its ID token is not a time';
  }
  if (auth_time > now + clockTolerance || auth_time > Number(issued_at) + rounding)
    return 'auth_time of its ID token is in the future';
  if (max_age === undefined) return undefined;
  // The age counts to the beginning of the sign-in, by the provider's clock alone, so that its difference from ours does not
  // matter. But the person can hold an answer back, and our clock alone then says that the ID token is older.
  const age = Math.max(Number(issued_at) - auth_time - (now - began_at), began_at - auth_time - clockTolerance);
  return age > max_age + rounding ? 'auth_time of its ID token is older than was demanded' : undefined;
}

/** Returns the hash of an access token [OpenID Connect Core §3.1.3.6]; with Ed25519, SHA-512 as in the signatures. */
function accessTokenHash(access_token: string, algorithm: string): string {
  const digest = createHash(algorithm.startsWith('Ed') ? 'sha512' : 'sha256')
    .update(access_token)
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

/** Whether a value is a subject, which has at most 255 ASCII characters [OpenID Connect Core §2]. */
export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value);
}

/** Reads what an ID token in the answer of a token endpoint says of itself: by which key it is to be verified, and for which tenant. */
export function readIdToken(body: string): { iss?: unknown; kid?: unknown } {
  const token = objectIn(body)?.['id_token'];
  const [header = '', claims = ''] = typeof token === 'string' ? token.split('.', 2) : [];
  const [named, said] = [header, claims].map((part) => objectIn(Buffer.from(part, 'base64url').toString()));
  return { iss: said?.['iss'], kid: named?.['kid'] };
}
