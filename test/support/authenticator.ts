import { createHash, generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Browser, Page } from './browser.ts';

// An authenticator in software, any byte of whose answers a test can change.

/** A value in CBOR: a map has its pairs in an array of arrays, so that one can have a key twice. */
export type Item = number | string | boolean | Buffer | Item[] | { pairs: [Item, Item][] };

function head(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.of((kind << 5) | length);
  if (length < 256) return Buffer.of((kind << 5) | 24, length);
  const bytes = Buffer.of((kind << 5) | 25, 0, 0);
  bytes.writeUInt16BE(length, 1);
  return bytes;
}

export function encodeCbor(item: Item): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item);
  if (typeof item === 'boolean') return Buffer.of(item ? 0xf5 : 0xf4);
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)]);
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item]);
  if (Array.isArray(item)) return Buffer.concat([head(4, item.length), ...item.map(encodeCbor)]);
  return Buffer.concat([head(5, item.pairs.length), ...item.pairs.flat().map((one) => encodeCbor(one as Item))]);
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const bytesIn = (text: unknown) => Buffer.from(String(text), 'base64url');

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

const generate: Record<Algorithm, () => KeyObject> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  EdDSA: () => generateKeyPairSync('ed25519').privateKey,
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
};

/** By their labels, in the order of the standard. */
export function coseKey(jwk: JsonWebKey, alg: Algorithm | number): [Item, Item][] {
  const number = typeof alg === 'number' ? alg : { ES256: -7, EdDSA: -8, RS256: -257 }[alg];
  if (jwk.kty === 'RSA') return [...ofType(3, number), [-1, bytesIn(jwk.n)], [-2, bytesIn(jwk.e)]];
  if (jwk.kty === 'OKP') return [...ofType(1, number), [-1, 6], [-2, bytesIn(jwk.x)]];
  const curve = jwk.crv === 'P-384' ? 2 : 1;
  return [...ofType(2, number), [-1, curve], [-2, bytesIn(jwk.x)], [-3, bytesIn(jwk.y)]];
}
const ofType = (kty: number, alg: number): [Item, Item][] => [
  [1, kty],
  [3, alg],
];

export interface SoftPasskey {
  credential_id: Buffer;
  key: KeyObject;
  alg: Algorithm;
  handle: Buffer;
  counter: number;
}

/** What is different from an honest answer. */
export interface Changes {
  origin?: string;
  type?: string;
  challenge?: string;
  client?: Record<string, unknown>;
  /** the client data, as it would be without this */
  rewrite?: (json: string) => string | Buffer;
  rp_id?: string;
  flags?: number;
  counter?: number;
  credential_id?: Buffer;
  cose?: [Item, Item][];
  /** the encoded key */
  key?: Buffer;
  /** after the authenticator data */
  extra?: Buffer;
  /** instead of it */
  data?: Buffer;
  /** the encoded attestation */
  attestation?: Buffer;
  format?: string;
  statement?: Item;
  signer?: KeyObject;
  signature?: (right: Buffer) => Buffer;
  fields?: Record<string, string | string[] | undefined>;
}

interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
  allowCredentials?: { id: string }[];
}

/** What the page hands to the browser. */
export function optionsIn(page: Page): Options {
  const found = /data-options="([^"]*)"/.exec(page.text)?.[1];
  if (found === undefined) throw new Error(`no passkey is asked for: ${page.status} ${page.text}`);
  return JSON.parse(found.replaceAll('&#34;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
}

const flagsOf = { present: 1, verified: 4, backup_eligible: 8, backed_up: 16, credential: 64, extensions: 128 };

export { flagsOf as flags };

function clientData(type: string, origin: string, challenge: string, changes: Changes): Buffer {
  const data = {
    type: changes.type ?? type,
    challenge: changes.challenge ?? challenge,
    origin: changes.origin ?? origin,
  };
  const json = JSON.stringify({ ...data, crossOrigin: false, ...changes.client });
  return Buffer.from(changes.rewrite?.(json) ?? json);
}

function dataHead(rp_id: string, flags: number, counter: number): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rp_id), tail]);
}

/** A new passkey, and the fields of the form by which it is added. */
export function makePasskey(origin: string, options: Options, changes: Changes = {}, alg: Algorithm = 'ES256') {
  const key = generate[alg]();
  const credential_id = changes.credential_id ?? randomBytes(16);
  const id = Buffer.concat([Buffer.from([credential_id.length >> 8, credential_id.length & 255]), credential_id]);
  const cose = changes.key ?? encodeCbor({ pairs: changes.cose ?? coseKey(key.export({ format: 'jwk' }), alg) });
  const flags = changes.flags ?? flagsOf.present | flagsOf.verified | flagsOf.credential;
  const start = dataHead(changes.rp_id ?? options.rp?.id ?? '', flags, changes.counter ?? 0);
  const honest = Buffer.concat([start, Buffer.alloc(16), id, cose, changes.extra ?? Buffer.of()]);
  const data = changes.data ?? honest;
  const client_data = clientData('webauthn.create', origin, options.challenge, changes);
  const attestation =
    changes.attestation ??
    encodeCbor({
      pairs: [
        ['fmt', changes.format ?? 'none'],
        ['attStmt', changes.statement ?? { pairs: [] }],
        ['authData', data],
      ],
    });
  const passkey: SoftPasskey = { credential_id, key, alg, handle: bytesIn(options.user?.id), counter: 0 };
  const fields = {
    client_data: client_data.toString('base64url'),
    attestation: attestation.toString('base64url'),
    transports: 'internal hybrid',
    ...changes.fields,
  };
  return { passkey, fields };
}

/** The fields of the form by which somebody signs in with a passkey. */
export function usePasskey(origin: string, options: Options, passkey: SoftPasskey, changes: Changes = {}) {
  const flags = changes.flags ?? flagsOf.present | flagsOf.verified;
  const start = dataHead(changes.rp_id ?? options.rpId ?? '', flags, changes.counter ?? passkey.counter);
  const data = changes.data ?? Buffer.concat([start, changes.extra ?? Buffer.of()]);
  const client_data = clientData('webauthn.get', origin, options.challenge, changes);
  const signed = Buffer.concat([data, sha256(client_data)]);
  const right = sign(passkey.alg === 'EdDSA' ? null : 'sha256', signed, changes.signer ?? passkey.key);
  const fields = {
    credential_id: (changes.credential_id ?? passkey.credential_id).toString('base64url'),
    client_data: client_data.toString('base64url'),
    authenticator_data: data.toString('base64url'),
    signature: (changes.signature?.(right) ?? right).toString('base64url'),
    user_handle: passkey.handle.toString('base64url'),
    ...changes.fields,
  };
  return fields;
}

export const otherKey = generate.ES256;

/** Signs in on a page with a passkey. */
export async function signInWith(
  browser: Browser,
  origin: string,
  passkey: SoftPasskey,
  changes: Changes = {},
  path = '/login?to=/account',
): Promise<Page> {
  const page = await browser.visit(path);
  return browser.submit(page, 'id="passkey"', usePasskey(origin, optionsIn(page), passkey, changes));
}
