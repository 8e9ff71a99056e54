import { createPublicKey } from 'node:crypto';
import { isSignedBy, type Jwt } from './jwt.ts';
import { keysIn, withoutMore } from './key-set.ts';
import { type JWK, publicKeyProblem } from './public-key.ts';

/** Algorithms by which providers sign, with the kind of key [7518 §3.1]. */
const kinds: ReadonlyMap<string, Pick<JWK, 'kty' | 'crv'>> = new Map([
  ['RS256', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
  ['Ed25519', { kty: 'OKP', crv: 'Ed25519' }],
]);

/** Entra publishes about ten. */
const maxKeys = 100;

/** The keys of a set that can have signed by this algorithm; or why there are none, to continue a sentence about the provider. */
export function readProviderKeys(document: string, algorithm: string): JWK[] | string {
  const all = keysIn(document);
  if (!all) return 'its key set is not a set of keys';
  if (all.length > maxKeys) return `its key set has more than ${maxKeys} keys`;
  const kind = kinds.get(algorithm);
  const fits = ({ kty, crv, alg = algorithm }: JWK) =>
    kty === kind?.kty && (kind?.crv === undefined || crv === kind.crv) && alg === algorithm;
  const keys = all.filter((key) => fits(key) && publicKeyProblem(key) === undefined).map(withoutMore);
  return keys.length > 0 ? keys : `its key set has no key for ${algorithm} that can be used`;
}

/**
 * Whether the provider has signed the JWT as openid-client demands of an ID token: by the algorithm of its ID tokens, and with the
 * only key that has the name in the header. Nothing else in the header leads to a key.
 */
export function isSignedByProvider(jwt: Jwt, keys: readonly JWK[], algorithm: string): boolean {
  const { alg, kid } = jwt.header;
  const [found, ...others] = keys.filter((key) => kid === undefined || key.kid === kid);
  if (alg !== algorithm || !found || others.length > 0) return false;
  return isSignedBy(createPublicKey({ key: found, format: 'jwk' }), jwt);
}
