import { isForAlgorithm } from './key-set.ts';
import type { JWK } from './public-key.ts';

/** The public keys of the website: of a file, or at an address where they are fetched. */
export type KeySource = { keys: readonly JWK[] } | { jwks_uri: string };

/** The provider's own website, where people sign in. What verifies its answers also decides by which algorithms they are signed. */
export type Website = { url: string } & (KeySource | { secret: string });

/** Algorithms by which a website signs with a key of its own. */
const algorithms: readonly unknown[] = ['ES256', 'EdDSA', 'Ed25519'];

export const isAlgorithmOfWebsite = (alg: unknown): boolean => algorithms.includes(alg);

export const isForWebsite = (key: JWK): boolean => algorithms.some((alg) => isForAlgorithm(key, alg));

export const hostOf = ({ url }: Website): string => new URL(url).host;

/** The page where people sign in, with what this server asks of it. */
export function addressWith({ url }: Website, request: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}request=${request}`;
}
