import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { ProvenRequest } from '../lib/dpop.ts';
import { signJwt } from '../lib/jwt.ts';
import type { PublicJwk } from '../lib/own-jwt.ts';
import { digestOf } from '../lib/secrets.ts';

/** The private key of a client [7518 §6.2.2], which it never sends. */
export interface DpopKey extends PublicJwk {
  d: string;
}

export function createDpopKey(): DpopKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'jwk' }) as unknown as DpopKey;
}

/** Makes a proof for one request [9449 §4.2], with the nonce of the server if it has given one. */
export function createDpopProof(key: DpopKey, { method, url, access_token }: ProvenRequest, nonce?: string): string {
  const { d: _, ...jwk } = key;
  const claims = {
    htm: method,
    htu: url,
    ...(access_token !== undefined && { ath: digestOf(access_token).toString('base64url') }),
    ...(nonce !== undefined && { nonce }),
    iat: Math.floor(Date.now() / 1000),
    jti: randomBytes(12).toString('base64url'),
  };
  return signJwt(createPrivateKey({ key: { ...key }, format: 'jwk' }), { typ: 'dpop+jwt', jwk }, claims);
}
