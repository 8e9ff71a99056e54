import { keysIn, withoutMore } from './key-set.ts';
import { type JWK, publicKeyProblem } from './public-key.ts';

/** Algorithms by which providers sign, with the kind of key [7518 §3.1]. */
const kinds: ReadonlyMap<string, Pick<JWK, 'kty' | 'crv'>> = new Map([
  ['RS256', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
]);

/** The most keys of a set; Entra publishes about ten. */
const maxKeys = 100;

/** Reads the keys of a set that can have signed by this algorithm; or why there are none, to continue a sentence about the provider. */
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
