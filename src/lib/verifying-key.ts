import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { LastUsed } from './last-used.ts';
import { isPublicKey, type JWK, materialMembers, materialProblem, notPublic, purposeProblem } from './public-key.ts';

/** A public key with which signatures are verified. */
export interface VerifyingKey {
  key: KeyObject;
  /** [7638] */
  thumbprint: string;
}

/** Makes the key of a JWK; or says why it is not used, to continue a sentence about it. */
export type KeyReader = (jwk: JWK) => VerifyingKey | string;

/**
 * Remembers the sound keys that were used last, because to make a key takes as long as to verify a signature. What a JWK says about
 * its use is looked at each time: one key can be described in two ways.
 */
export function rememberKeys(capacity: number): KeyReader {
  const remembered = new LastUsed<VerifyingKey>(capacity);
  return (jwk) => {
    if (!isPublicKey(jwk)) return notPublic;
    const name = materialMembers(jwk)
      .map((member) => jwk[member])
      .join();
    const found = remembered.get(name) ?? readKey(jwk);
    if (typeof found === 'string') return found;
    remembered.set(name, found);
    return purposeProblem(jwk) ?? found;
  };
}

function readKey(jwk: JWK): VerifyingKey | string {
  const problem = materialProblem(jwk);
  if (problem !== undefined) return problem;
  try {
    const key = createPublicKey({ key: materialOf(jwk), format: 'jwk' });
    return { key, thumbprint: thumbprintOf(jwk) };
  } catch {
    return 'it cannot be read';
  }
}

const materialOf = (jwk: JWK): JWK => Object.fromEntries(materialMembers(jwk).map((member) => [member, jwk[member]]));

/** The digest of the members that are the key itself [7638 §3]. */
export function thumbprintOf(jwk: JWK): string {
  return hash('sha256', JSON.stringify(materialOf(jwk)), 'base64url');
}
