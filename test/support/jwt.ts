import assert from 'node:assert/strict';
import { sign as signBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Deps } from '../../src/deps.ts';
import { createKeyPair, readPrivateKey, type SigningKey } from '../../src/lib/own-jwt.ts';
import { seal } from '../../src/lib/sealing.ts';
import { addSigningKey } from '../../src/oauth/token/signing-keys.sql.ts';

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A JWT with any header and payload, of which a signer makes the third part. */
export function forge(header: unknown, payload: unknown, signer: (input: string) => Buffer | string): string {
  const input = `${encoded(header)}.${encoded(payload)}`;
  const signature = signer(input);
  return `${input}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`;
}

export const es256 =
  ({ private_key }: SigningKey) =>
  (input: string) =>
    signBytes('sha256', Buffer.from(input), { key: private_key, dsaEncoding: 'ieee-p1363' });

/** Header and payload of a JWT with changes; undefined leaves a member out. */
export function changed(jwt: string, header: object, payload: object): [header: object, payload: object] {
  return [
    { ...decodeProtectedHeader(jwt), ...header },
    { ...decodeJwt(jwt), ...payload },
  ];
}

/** Makes a key that the test knows the current one of the server, which must not have signed anything before. */
export async function plantSigningKey({ database, sessionSecrets }: Deps): Promise<SigningKey> {
  const pair = await createKeyPair();
  const { kid, public_jwk, private_key } = pair;
  const sealed_private_key = seal(sessionSecrets[0] ?? '', 'signing key', private_key);
  const key = { kid, public_jwk, sealed_private_key, predecessor: '' };
  await addSigningKey(database, key, { signsAtOnce: true }, { request_id: 'a-test', address: null });
  return (await readPrivateKey(pair, private_key)) ?? assert.fail('not a pair');
}

/** The other signature of the same text and key: s is replaced by n - s. */
export function withOtherSignature(jwt: string): string {
  const [header, payload, signature = ''] = jwt.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const other = (order - BigInt(`0x${bytes.toString('hex', 32)}`)).toString(16).padStart(64, '0');
  const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(other, 'hex')]);
  return `${header}.${payload}.${twin.toString('base64url')}`;
}

/** A JWT with the same bytes and another last character: the lowest bits of that character mean nothing. */
export function withOtherLastCharacter(jwt: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return jwt.slice(0, -1) + alphabet[alphabet.indexOf(jwt.at(-1) ?? '') ^ 1];
}
