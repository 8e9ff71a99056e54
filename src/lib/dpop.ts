import { clientAlgorithms, clockTolerance, compareClocks, untimelyFault, verifyClientJwt } from './client-jwt.ts';
import { OAuthError } from './errors.ts';
import { type Claims, isOfType, readJwt } from './jwt.ts';
import { isForAlgorithm } from './key-set.ts';
import type { JWK } from './public-key.ts';
import { keyFor } from './sealing.ts';
import { digestOf } from './secrets.ts';
import { rememberKeys } from './verifying-key.ts';

/** Seconds for which a proof is accepted after it was made. */
export const proofLifetime = 120;

/** The thumbprint of a key in a header or parameter: a SHA-256 digest in base64url [7638]. */
export const thumbprintSyntax = /^[\w-]{43}$/;

interface DpopProof {
  /** the thumbprint of the key that made the proof [7638] */
  thumbprint: string;
  jti: string;
  nonce: unknown;
  /** seconds since 1970 */
  made_at: number;
}

export interface ProvenRequest {
  method: string;
  /** the public address of the request, without its query */
  url: string;
  /** the access token that the request presents */
  access_token?: string | undefined;
}

/** The memory for keys, which strangers fill, too; a client whose key is displaced pays some 50 µs more for its next proof. */
const readKey = rememberKeys(5000);

/** Refuses a proof that is not valid for this request [9449 §4.3]. Whether it was used before is not checked here. */
export function verifyDpopProof(text: string, request: ProvenRequest): DpopProof {
  const jwt = readJwt(text);
  const { alg, jwk } = jwt?.header ?? {};
  const isProof = jwt && isOfType(jwt, 'dpop+jwt') && clientAlgorithms.some((one) => one === alg);
  if (!isProof || !isJwk(jwk)) throw dpopRefusal(request, notSigned);
  const found = readKey(jwk);
  if (typeof found === 'string') throw dpopRefusal(request, `the key in its header is not used: ${found}`);
  const claims = isForAlgorithm(jwk, alg) ? verifyClientJwt(jwt, found.key) : undefined;
  if (!claims || claims === 'untimely') throw dpopRefusal(request, claims ? untimelyFault : notSigned);
  const { jti, nonce, iat = 0 } = claims;
  const fault = faultOf(claims, request);
  if (fault !== undefined || !isText(jti)) throw dpopRefusal(request, fault ?? 'jti is missing');
  return { thumbprint: found.thumbprint, jti, nonce, made_at: iat };
}

const isJwk = (value: unknown): value is JWK => typeof value === 'object' && value !== null;

const notSigned = `it must be one JWT of the type dpop+jwt, signed by ${clientAlgorithms.join(', ')} with the public key in its header`;

function faultOf({ htm, htu, iat, ath }: Claims, { method, url, access_token }: ProvenRequest): string | undefined {
  if (htm !== method) return `htm must be ${method}`;
  if (!isSameAddress(htu, url)) return `htu must be ${url}`;
  if (!isRecent(iat)) return `iat must be of the last ${proofLifetime} seconds; ${compareClocks}`;
  if (access_token === undefined || ath === digestOf(access_token).toString('base64url')) return undefined;
  return 'ath must be the SHA-256 digest of the access token in base64url';
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 500;

/** The longest htu, since a parser of URLs normalizes a host name, which takes time in proportion to the square of its length. */
const htuMaxLength = 2000;

/** Compares addresses without query and fragment; scheme, host and port may be written in any equivalent way. */
function isSameAddress(htu: unknown, url: string): boolean {
  if (htu === url) return true;
  if (typeof htu !== 'string' || htu.length > htuMaxLength || !URL.canParse(htu)) return false;
  const { origin, pathname } = new URL(htu);
  return origin + pathname === url;
}

function isRecent(iat: unknown): boolean {
  if (typeof iat !== 'number') return false;
  const age = Date.now() / 1000 - iat;
  return age <= proofLifetime && age >= -clockTolerance;
}

/** Faults of a valid proof that does not count, by the reason that clients/used-proofs.sql.ts gives. */
export const useFaults = { repeated: 'it was used before', 'too old': untimelyFault } as const;

/** Makes the refusal of a proof; the status is 401 where an access token is presented [9449 §7.1], 400 elsewhere [9449 §5]. */
export function dpopRefusal(
  { access_token }: Pick<ProvenRequest, 'access_token'>,
  fault: string,
  code: 'invalid_dpop_proof' | 'use_dpop_nonce' = 'invalid_dpop_proof',
): OAuthError {
  const status = access_token === undefined ? 400 : 401;
  return new OAuthError(code, `the DPoP proof is not accepted: ${fault}`, { status });
}

/** Seconds after which the nonce changes. The one before is still accepted. */
const period = 60;

/**
 * Returns what a DPoP proof must contain if it must not have been made in advance [9449 §8]: derived from the time, so that nothing is
 * stored.
 */
export function dpopNonce([secret = '']: readonly string[], now = Date.now() / 1000): string {
  return nonceOf(secret, Math.floor(now / period));
}

export function isFreshNonce(secrets: readonly string[], nonce: unknown, now = Date.now() / 1000): boolean {
  const current = Math.floor(now / period);
  return secrets.some((secret) => [current, current - 1].some((one) => nonceOf(secret, one) === nonce));
}

const nonceOf = (secret: string, number: number) => keyFor(secret, `DPoP nonce ${number}`).toString('base64url');
