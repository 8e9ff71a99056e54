import type { JsonWebKey } from 'node:crypto';

/** [7517 §4] */
export interface JWK extends JsonWebKey {
  kid?: string;
  use?: string;
  alg?: string;
}

// What a key must be before anything that it has signed counts, by whatever way it came in: registered, fetched, brought along by
// a proof, or in a certificate. With other keys, anybody can make a signature. A registration is refused for the same reasons, in
// migrations/functions/check_public_key.sql; what was registered before, or is fetched, meets them here.

/** The members that are the key itself [7518 §6]. */
export const keyMaterial = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

/** The members of each kind of key, in the order of the alphabet, as a thumbprint has them [7638 §3.2; 8037 §2]. */
const materialOfKind: ReadonlyMap<unknown, readonly (typeof keyMaterial)[number][]> = new Map([
  ['RSA', ['e', 'kty', 'n']],
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['OKP', ['crv', 'kty', 'x']],
]);

/** Which members are the key itself; others mean nothing for its kind. */
export const materialMembers = ({ kty }: JWK) => materialOfKind.get(kty) ?? [];

export const notPublic = 'it is private or symmetric';

/** Says why a key is not used, to continue a sentence about the key; undefined for a sound key. */
export function publicKeyProblem(jwk: JWK): string | undefined {
  return isPublicKey(jwk) ? (materialProblem(jwk) ?? purposeProblem(jwk)) : notPublic;
}

/** Whether everybody may know a key: it is asymmetric, and without its private part. */
export function isPublicKey(jwk: JWK): boolean {
  return jwk.kty !== 'oct' && !['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].some((member) => member in jwk);
}

interface Kind {
  readonly algorithms: readonly string[];
  readonly problemOf: (jwk: JWK) => string | undefined;
}

/** Members that say for what the key is [7517 §4.2–4.4]. A set may have a key for RS256, by which this server verifies assertions only. */
const kinds: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['RSA', { algorithms: ['PS256', 'RS256'], problemOf: ({ n, e }) => rsaProblem(bitsOf(numberIn(n)), numberIn(e)) }],
  ['EC', { algorithms: ['ES256'], problemOf: p256Problem }],
  ['OKP', { algorithms: ['EdDSA', 'Ed25519'], problemOf: ed25519Problem }],
]);

/** Returns what is wrong with the key itself, whatever is said about its use. */
export function materialProblem(jwk: JWK): string | undefined {
  const kind = kinds.get(jwk.kty);
  return kind ? kind.problemOf(jwk) : 'it is neither RSA, EC P-256 nor Ed25519';
}

/** Returns what is wrong with what is said about the use of a key. */
export function purposeProblem({ kty, use, alg, key_ops }: JWK): string | undefined {
  if ((use ?? 'sig') !== 'sig') return 'its use is not sig';
  if (key_ops !== undefined && !(Array.isArray(key_ops) && key_ops.includes('verify')))
    return 'its key_ops lack verify';
  const algorithms = kinds.get(kty)?.algorithms ?? [];
  return algorithms.includes(alg ?? algorithms[0] ?? '') ? undefined : 'its alg is not for this kind of key';
}

/**
 * Returns what is wrong with an RSA key: with an exponent of 1, every message is its own signature; small exponents have led to
 * forgeries [FIPS 186-5 §5.1]. Large keys cost time.
 */
export function rsaProblem(bits: number, exponent: bigint): string | undefined {
  if (bits < 2048 || bits > 4096) return 'it is RSA, and not of 2048 to 4096 bits';
  const isSound = exponent % 2n === 1n && exponent >= 65_537n && exponent < 2n ** 32n;
  return isSound ? undefined : 'its exponent is not an odd number from 65537 to 4294967295';
}

const prime256 = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const b256 = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Returns what is wrong with a point, which must satisfy y² = x³ - 3x + b [FIPS 186-5, SP 800-186 §3.2.1.3]. */
function p256Problem({ crv, x, y }: JWK): string | undefined {
  if (crv !== 'P-256') return 'it is EC, and not on the curve P-256';
  if (bytesIn(x)?.length !== 32 || bytesIn(y)?.length !== 32) return noPoint;
  const [u, v] = [numberIn(x), numberIn(y)];
  const isPoint = u < prime256 && v < prime256 && (v * v - u * u * u + 3n * u - b256) % prime256 === 0n;
  return isPoint ? undefined : noPoint;
}

const noPoint = 'it is no point of its curve';

const prime25519 = 2n ** 255n - 19n;
const ofOrder8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;

/**
 * The points of Ed25519 that a few additions lead back to zero [8032 §5.1, 7748 §7]: with such a key, anybody makes signatures of
 * any message. That a text is a point at all is found out by verifying a signature.
 */
const smallOrders: ReadonlySet<bigint> = new Set([0n, 1n, prime25519 - 1n, ofOrder8, prime25519 - ofOrder8]);

function ed25519Problem({ crv, x }: JWK): string | undefined {
  if (crv !== 'Ed25519') return 'it is OKP, and not on the curve Ed25519';
  const bytes = bytesIn(x);
  if (bytes?.length !== 32) return noPoint;
  // little-endian; the highest bit is the sign of the other coordinate
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) % 2n ** 255n;
  return y < prime25519 && !smallOrders.has(y) ? undefined : 'it is a point of small order';
}

/** The longest text that is read, as long as a modulus of 4096 bits. */
const maxLength = 690;

function bytesIn(text: unknown): Buffer | undefined {
  const isText = typeof text === 'string' && text.length <= maxLength && /^[A-Za-z0-9_-]+$/.test(text);
  return isText ? Buffer.from(text, 'base64url') : undefined;
}

/** Reads a number as keys have it [7518 §6.3]; 0 for another text. */
function numberIn(text: unknown): bigint {
  const bytes = bytesIn(text);
  return bytes?.length ? BigInt(`0x${bytes.toString('hex')}`) : 0n;
}

/** Returns the length of an odd number, and 0 for an even number, which is no modulus. Some libraries write a zero before the number. */
function bitsOf(number: bigint): number {
  return number % 2n === 1n ? number.toString(2).length : 0;
}
