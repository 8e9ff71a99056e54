import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign as signBytes } from 'node:crypto';

/** A public key by which nothing may count, and how somebody signs with it: its owner, or for a few of them anybody. */
export interface BadKey {
  jwk: Record<string, unknown>;
  alg: string;
  /** without it, no signature is valid anyway */
  signer?: (input: string) => Buffer;
  /** what is said where it is refused; by default as at a registration */
  atUse?: RegExp;
  atRegistration: RegExp;
}

const base64url = (number: bigint) => {
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
};

const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The message as it is encoded before the private exponent would be applied [8017 §9.1.1], for a modulus of 2048 bits. */
function encodePss(input: string): Buffer {
  const salt = randomBytes(32);
  const digest = sha256(Buffer.alloc(8), sha256(input), salt);
  const block = Buffer.concat([Buffer.alloc(256 - 32 - 32 - 2), Buffer.from([1]), salt]);
  const mask = Buffer.concat(
    Array.from({ length: 7 }, (_, count) => sha256(digest, Buffer.from([0, 0, 0, count]))),
  ).subarray(0, block.length);
  for (const [index, byte] of block.entries()) block[index] = byte ^ (mask[index] ?? 0);
  block.writeUInt8(block.readUInt8(0) & 0x7f, 0);
  return Buffer.concat([block, digest, Buffer.from([0xbc])]);
}

const ps256 = (key: KeyObject) => (input: string) =>
  signBytes('sha256', Buffer.from(input), { key, padding: 6, saltLength: 32 });

/** With its private half, so that signatures are right and only the key is wrong. */
function rsa(modulusLength: number, publicExponent = 65_537) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent });
  return {
    jwk: publicKey.export({ format: 'jwk' }) as Record<string, unknown>,
    alg: 'PS256',
    signer: ps256(privateKey),
  };
}

const good = rsa(2048);
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const point = ec.publicKey.export({ format: 'jwk' }) as Record<string, unknown>;
const es256 = (input: string) =>
  signBytes('sha256', Buffer.from(input), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
const es384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
const zero = Buffer.alloc(32).toString('base64url');
const neighbour = Buffer.from(String(point['y']), 'base64url');
neighbour.writeUInt8(neighbour.readUInt8(31) ^ 1, 31);

/** A point of Ed25519 by its bytes, the lowest first. */
const edwards = (hex: string) => ({ kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') });
/** R is zero, and so is what the key is multiplied by: S must be zero. */
const zeroSignature = () => Buffer.from(`01${'00'.repeat(63)}`, 'hex');

const size = /neither RSA of 2048 to 4096 bits, EC P-256 nor Ed25519/;
const exponent = /exponent is not an odd number from 65537/;
const noPoint = /no point of its curve/;
const purpose = /its use must be sig, its key_ops must contain verify/;
const ofType = /with the alg '\w+': a key of the type \w+ is for/;
const exponentOf = (e: bigint): BadKey => ({
  ...good,
  jwk: { ...good.jwk, e: base64url(e) },
  atRegistration: exponent,
});

export const badKeys: Readonly<Record<string, BadKey>> = {
  'RSA with the exponent 1': { ...exponentOf(1n), signer: encodePss },
  'RSA with the exponent 2': exponentOf(2n),
  'RSA with the exponent 3': { ...rsa(2048, 3), atRegistration: exponent },
  'RSA with the exponent 65535': exponentOf(65_535n),
  'RSA with the exponent 65538': exponentOf(65_538n),
  'RSA with an exponent of 33 bits': { ...rsa(2048, 2 ** 32 - 5), ...exponentOf(2n ** 32n + 1n) },
  'RSA without an exponent': {
    ...exponentOf(0n),
    jwk: { ...good.jwk, e: undefined },
    atRegistration: size,
    atUse: exponent,
  },
  'RSA of 1024 bits': { ...rsa(1024), atRegistration: size, atUse: /not of 2048 to 4096 bits/ },
  'RSA of 2047 bits': { ...rsa(2047), atRegistration: size, atUse: /not of 2048 to 4096 bits/ },
  'RSA of 4097 bits': {
    jwk: { ...good.jwk, n: base64url(2n ** 4096n + 1n) },
    ...{ alg: 'PS256', atRegistration: size, atUse: /not of 2048 to 4096 bits/ },
  },
  'RSA of 8192 bits': {
    jwk: { ...good.jwk, n: base64url(2n ** 8191n + 1n) },
    ...{ alg: 'PS256', atRegistration: size, atUse: /not of 2048 to 4096 bits/ },
  },
  'RSA with an even modulus': {
    jwk: { ...good.jwk, n: base64url(2n ** 2047n) },
    ...{ alg: 'PS256', atRegistration: size, atUse: /not of 2048 to 4096 bits/ },
  },
  'the point (0, 0)': { jwk: { ...point, x: zero, y: zero }, alg: 'ES256', atRegistration: noPoint },
  'a point beside P-256': {
    jwk: { ...point, y: neighbour.toString('base64url') },
    ...{ alg: 'ES256', signer: es256, atRegistration: noPoint },
  },
  'half a point': {
    jwk: { ...point, y: undefined },
    alg: 'ES256',
    signer: es256,
    atRegistration: size,
    atUse: noPoint,
  },
  'a point of P-384': {
    jwk: es384 as BadKey['jwk'],
    alg: 'ES256',
    atRegistration: size,
    atUse: /not on the curve P-256/,
  },
  'a point of P-384 that says P-256': { jwk: { ...es384, crv: 'P-256' }, alg: 'ES256', atRegistration: noPoint },
  'the zero of Ed25519': {
    jwk: edwards(`01${'00'.repeat(31)}`),
    alg: 'Ed25519',
    signer: zeroSignature,
    atRegistration: /small order/,
  },
  'the zero of Ed25519 with a sign': {
    jwk: edwards(`01${'00'.repeat(30)}80`),
    alg: 'Ed25519',
    signer: zeroSignature,
    atRegistration: /small order/,
  },
  'another spelling of the zero of Ed25519': {
    jwk: edwards(`ee${'ff'.repeat(30)}7f`),
    alg: 'Ed25519',
    signer: zeroSignature,
    atRegistration: /small order/,
  },
  'a point of order 8': {
    jwk: edwards('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
    ...{ alg: 'Ed25519', signer: zeroSignature, atRegistration: /small order/ },
  },
  'a key for encryption': {
    jwk: { ...point, use: 'enc' },
    alg: 'ES256',
    signer: es256,
    atRegistration: purpose,
    atUse: /its use is not sig/,
  },
  'a key for the operation encrypt': {
    jwk: { ...good.jwk, key_ops: ['encrypt'] },
    ...{ alg: 'PS256', signer: good.signer, atRegistration: purpose, atUse: /its key_ops lack verify/ },
  },
  'EC with the alg PS256': {
    jwk: { ...point, alg: 'PS256' },
    alg: 'ES256',
    signer: es256,
    atRegistration: ofType,
    atUse: /its alg is not for/,
  },
  'RSA with the alg ES256': {
    jwk: { ...good.jwk, alg: 'ES256' },
    alg: 'PS256',
    signer: good.signer,
    atRegistration: ofType,
    atUse: /its alg is not for/,
  },
  'EC with the alg HS256': {
    jwk: { ...point, alg: 'HS256' },
    alg: 'ES256',
    signer: es256,
    atRegistration: ofType,
    atUse: /its alg is not for/,
  },
  'a private key': {
    jwk: ec.privateKey.export({ format: 'jwk' }) as BadKey['jwk'],
    ...{ alg: 'ES256', signer: es256, atRegistration: /private or symmetric/ },
  },
  'a symmetric key': { jwk: { kty: 'oct', k: 'AAAA' }, alg: 'HS256', atRegistration: /private or symmetric/ },
};

/** No text decodes to a point here, which is found out by verifying a signature. */
export const beside25519 = edwards(`02${'00'.repeat(31)}`);
