import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { digestOf } from '../../src/lib/secrets.ts';
import { redeem, refresh, type TokenAnswer } from './flow.ts';

/** A key with which a client makes DPoP proofs. */
export interface DpopKey {
  privateKey: CryptoKey;
  jwk: JWK;
  thumbprint: string;
}

export async function createDpopKey(alg = 'ES256'): Promise<DpopKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

export interface ProofChanges {
  header?: object;
  /** undefined leaves a claim out */
  claims?: Record<string, unknown>;
}

/** A proof that would be accepted for this request, with changes. */
export function proofOf(
  { privateKey, jwk }: DpopKey,
  { method, url, access_token }: { method: string; url: string; access_token?: unknown },
  { header, claims }: ProofChanges = {},
): Promise<string> {
  const payload = {
    jti: randomBytes(12).toString('base64url'),
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1000),
    ...(access_token !== undefined && { ath: digestOf(String(access_token)).toString('base64url') }),
    ...claims,
  };
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header }).sign(privateKey);
}

export const proofFor = (key: DpopKey, url: string, changes?: ProofChanges): Promise<string> =>
  proofOf(key, { method: 'POST', url }, changes);

/** The token request with a proof of a key. */
export async function redeemWith(
  key: DpopKey,
  origin: string,
  code: string,
  changes: Parameters<typeof redeem>[2] = {},
  headers = {},
): Promise<TokenAnswer> {
  return redeem(origin, code, changes, { dpop: await proofFor(key, `${origin}/token`), ...headers });
}

/** Refreshes with a proof for an instance, which shares the public address. */
export async function refreshWith(
  key: DpopKey,
  origin: string,
  token: unknown,
  { changes = {}, headers = {}, instance = origin }: RefreshOptions = {},
): Promise<TokenAnswer> {
  return refresh(instance, token, changes, { dpop: await proofFor(key, `${origin}/token`), ...headers });
}

interface RefreshOptions {
  changes?: Parameters<typeof refresh>[2];
  headers?: Record<string, string>;
  instance?: string;
}

/** GET with a bound token and a proof, which can be spoiled. */
export async function getBound(
  key: DpopKey,
  origin: string,
  access_token: unknown,
  { path = '/user', ...changes }: ProofChanges & { path?: string } = {},
): Promise<TokenAnswer> {
  const dpop = await proofOf(key, { method: 'GET', url: origin + path, access_token }, changes);
  return getWith(origin + path, { authorization: `DPoP ${access_token}`, dpop });
}

export async function getWith(url: string, headers: Record<string, string>): Promise<TokenAnswer> {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}
