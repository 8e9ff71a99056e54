import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { decodeProtectedHeader, type JWSHeaderParameters } from 'jose';
import { type clientAlgorithms, isFaultOfJwt, type JWK } from './client-jwt.ts';
import { isStorable } from './parameters.ts';
import { isPublicKey, keyMaterial, publicKeyProblem } from './public-key.ts';

type ClientAlgorithm = (typeof clientAlgorithms)[number];

/** The type of key and the curve of each algorithm. */
const keyTypes: ReadonlyMap<unknown, Pick<JWK, 'kty' | 'crv'>> = new Map<ClientAlgorithm, Pick<JWK, 'kty' | 'crv'>>([
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['PS256', { kty: 'RSA' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
  ['Ed25519', { kty: 'OKP', crv: 'Ed25519' }],
]);

/** As in a registration, see migrations/functions/check_jwks.sql. */
const maxKeys = 10;

/** The one key that fits a signature: the named one, or without a name the only one for the algorithm [7515 §4.1.4]. */
export function keyFor(header: JWSHeaderParameters, keys: readonly JWK[]): JWK | undefined {
  const fitting = fittingKeys(header, keys).filter((key) => publicKeyProblem(key) === undefined);
  return fitting.length === 1 && fitting[0] ? materialOf(fitting[0]) : undefined;
}

/** Whether a JWT names a key, or an algorithm, that could be the client's and is not among its keys. Nothing of it is verified. */
export function lacksKeyOf(jwt: string, keys: readonly JWK[]): boolean {
  try {
    const header = decodeProtectedHeader(jwt);
    return keyTypes.has(header.alg) && keyFor(header, keys) === undefined;
  } catch (error) {
    if (isFaultOfJwt(error)) return false;
    throw error;
  }
}

/** Why there is no key for a signature, to continue a sentence about it. */
export function missingKey(header: JWSHeaderParameters, keys: readonly JWK[]): string {
  const problem = fittingKeys(header, keys)
    .map(publicKeyProblem)
    .find((one) => one !== undefined);
  return problem === undefined ? 'no key of the client has this kid and alg' : `the key for it is not used: ${problem}`;
}

const fittingKeys = ({ alg, kid }: JWSHeaderParameters, keys: readonly JWK[]) =>
  keys.filter((key) => (kid === undefined || key.kid === kid) && fits(key, alg));

/**
 * Without what it says about its use, which has been looked at: jose and Web Cryptography take the two names of one algorithm for two,
 * and refuse a public key that is also for signing.
 */
const materialOf = (key: JWK): JWK =>
  Object.fromEntries(keyMaterial.flatMap((name) => (key[name] === undefined ? [] : [[name, key[name]]])));

/** EdDSA means Ed25519 where this is the only curve [9864 §2.2]. */
export function isSameAlgorithm(one: unknown, other: unknown): boolean {
  const [name, otherName] = [one, other].map((alg) => (alg === 'EdDSA' ? 'Ed25519' : alg));
  return name === otherName;
}

function fits(key: JWK, alg: unknown): boolean {
  const type = keyTypes.get(alg);
  return type !== undefined && key.kty === type.kty && key.crv === type.crv && isSameAlgorithm(key.alg ?? alg, alg);
}

/** What a set of keys holds for this server. */
export interface KeySet {
  keys: JWK[];
  /** why the others are not used, such as keys for encryption */
  unused: string[];
}

/**
 * The keys of a set [7517 §5] that can be used here. Undefined for a document that is no set, has too few or too many of them, or
 * shows a key that must be secret.
 */
export function readKeySet(document: string): KeySet | undefined {
  const all = keysIn(document);
  if (!all?.every(isPublicKey)) return undefined;
  const problems = all.map(publicKeyProblem);
  const keys = all.filter((_, index) => problems[index] === undefined).map(withoutMore);
  return keys.length > 0 && keys.length <= maxKeys
    ? { keys, unused: problems.filter((problem) => problem !== undefined) }
    : undefined;
}

function keysIn(document: string): JWK[] | undefined {
  try {
    const { keys } = JSON.parse(document);
    const isSet = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
    return isSet ? keys : undefined;
  } catch {
    return undefined;
  }
}

const members: ReadonlySet<string> = new Set([...keyMaterial, 'kid', 'alg', 'use']);

/** Without certificates, which may be long, and all that the database would refuse: other things than texts, and NUL. */
function withoutMore(key: JWK): JWK {
  const kept = ([name, value]: [string, unknown]) =>
    members.has(name) && typeof value === 'string' && isStorable(value);
  return Object.fromEntries(Object.entries(key).filter(kept));
}

const publicKey = (pair: { publicKey: KeyObject }): JWK => pair.publicKey.export({ format: 'jwk' });

/** An odd number of 2048 bits is enough where no signature has to be valid; to find two primes would delay the start. */
function randomModulus(): string {
  const bytes = randomBytes(256);
  bytes.writeUInt8(bytes.readUInt8(0) | 0x80, 0);
  bytes.writeUInt8(bytes.readUInt8(255) | 1, 255);
  return bytes.toString('base64url');
}

/** Keys whose private half nobody has: no signature is valid, and to find that out takes as long as with the key of a client. */
export const keysOfNobody: readonly JWK[] = [
  publicKey(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  publicKey(generateKeyPairSync('ed25519')),
  { kty: 'RSA', e: 'AQAB', n: randomModulus() },
];
