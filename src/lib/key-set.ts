import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { assertionAlgorithms, clientAlgorithms } from './client-jwt.ts';
import type { Header } from './jwt.ts';
import { isStorable } from './parameters.ts';
import { isPublicKey, type JWK, keyMaterial, publicKeyProblem } from './public-key.ts';
import { type KeyReader, rememberKeys } from './verifying-key.ts';

type ClientAlgorithm = (typeof assertionAlgorithms)[number];

/** The type of key and the curve of each algorithm. */
const keyTypes: ReadonlyMap<unknown, Pick<JWK, 'kty' | 'crv'>> = new Map<ClientAlgorithm, Pick<JWK, 'kty' | 'crv'>>([
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['PS256', { kty: 'RSA' }],
  ['RS256', { kty: 'RSA' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
  ['Ed25519', { kty: 'OKP', crv: 'Ed25519' }],
]);

/** The most keys in a set; migrations/functions/check_jwks.sql has the same limit for a registration. */
const maxKeys = 10;

/**
 * The memory for keys of clients. Keys that strangers bring along are remembered elsewhere, so that they cannot displace the keys of
 * clients.
 */
const readKey: KeyReader = rememberKeys(2000);

/**
 * Finds the key that fits a signature by one of these algorithms: the named key, or without a name the only key for the algorithm
 * [7515 §4.1.4].
 */
export function keyFor(
  header: Header,
  keys: readonly JWK[],
  algorithms: readonly string[] = clientAlgorithms,
): KeyObject | undefined {
  const accepted = algorithms.some((alg) => alg === header.alg) ? fittingKeys(header, keys) : [];
  const [fitting, ...others] = accepted.flatMap((jwk) => {
    const found = readKey(jwk);
    return typeof found === 'string' ? [] : [found];
  });
  return others.length === 0 ? fitting?.key : undefined;
}

/** Whether a JWT names a key, or an algorithm, that could be the client's and is not among its keys. */
export function lacksKeyOf({ header }: { header: Header }, keys: readonly JWK[]): boolean {
  return keyTypes.has(header.alg) && keyFor(header, keys, assertionAlgorithms) === undefined;
}

/** Says why there is no key for a signature, to continue a sentence about the signature. */
export function missingKey(header: Header, keys: readonly JWK[]): string {
  const found = fittingKeys(header, keys).map(readKey);
  const what = header.kid === undefined ? 'alg' : 'kid and alg';
  if (found.filter((key) => typeof key !== 'string').length > 1) return `several keys of the client have this ${what}`;
  const problem = found.find((key) => typeof key === 'string');
  return problem === undefined ? `no key of the client has this ${what}` : `the key for it is not used: ${problem}`;
}

const fittingKeys = ({ alg, kid }: Header, keys: readonly JWK[]) =>
  keys.filter((key) => (kid === undefined || key.kid === kid) && isForAlgorithm(key, alg));

/** Whether two algorithms are the same: EdDSA means Ed25519 where this is the only curve [9864 §2.2]. */
export function isSameAlgorithm(one: unknown, other: unknown): boolean {
  const [name, otherName] = [one, other].map((alg) => (alg === 'EdDSA' ? 'Ed25519' : alg));
  return name === otherName;
}

/** Whether signatures by this algorithm can be of this key. */
export function isForAlgorithm(key: JWK, alg: unknown): boolean {
  const type = keyTypes.get(alg);
  return type !== undefined && key.kty === type.kty && key.crv === type.crv && isSameAlgorithm(key.alg ?? alg, alg);
}

/** What a set of keys holds for this server. */
export interface KeySet {
  keys: JWK[];
  /** what is wrong with the other keys of the set, such as keys for encryption */
  unused: string[];
}

/**
 * Reads the keys of a set [7517 §5] that can be used here. Undefined for a document that is no set, has too few or too many of them, or
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

export function keysIn(document: string): JWK[] | undefined {
  try {
    const { keys } = JSON.parse(document);
    const isSet = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
    return isSet ? keys : undefined;
  } catch {
    return undefined;
  }
}

const members: ReadonlySet<string> = new Set([...keyMaterial, 'kid', 'alg', 'use']);

/** Copies a key without certificates, which may be long, and without what the database would refuse: members that are no texts, and NUL. */
export function withoutMore(key: JWK): JWK {
  const kept = ([name, value]: [string, unknown]) =>
    members.has(name) && typeof value === 'string' && isStorable(value);
  return Object.fromEntries(Object.entries(key).filter(kept));
}

const publicKey = (pair: { publicKey: KeyObject }): JWK => pair.publicKey.export({ format: 'jwk' });

/** Makes an odd number of 2048 bits, which is enough where no signature has to be valid; to find two primes would delay the start. */
function randomModulus(): string {
  const bytes = randomBytes(256);
  bytes.writeUInt8(bytes.readUInt8(0) | 0x80, 0);
  bytes.writeUInt8(bytes.readUInt8(255) | 1, 255);
  return bytes.toString('base64url');
}

/** Keys whose private half nobody has: no signature is valid, and finding that out takes as long as with the key of a client. */
export const keysOfNobody: readonly JWK[] = [
  publicKey(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  publicKey(generateKeyPairSync('ed25519')),
  { kty: 'RSA', e: 'AQAB', n: randomModulus() },
];
