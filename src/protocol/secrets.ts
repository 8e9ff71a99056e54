import { createHmac, hash, randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefixes by which people and secret scanners recognise what they have found. */
const prefixes = {
  access_token: 'lk_at_',
  refresh_token: 'lk_rt_',
  authorization_code: 'lk_ac_',
  client_secret: 'lk_cs_',
} as const;

export type SecretKind = keyof typeof prefixes;

/** Prefix, 256 random bits, CRC-32 of both: a typo or a truncated value is refused without a query. */
export function createSecret(kind: SecretKind, bits: Buffer = randomBits(32)): string {
  const body = prefixes[kind] + bits.toString('base64url');
  return body + checksum(body);
}

/** Asking the system for random bits costs the same for a page of them as for one secret, so it is done by the page. */
const page = Buffer.alloc(4096);
let used = page.length;

export function randomBits(bytes: number): Buffer {
  if (used + bytes > page.length) {
    randomFillSync(page);
    used = 0;
  }
  used += bytes;
  // a copy, and no trace left behind
  const bits = Buffer.from(page.subarray(used - bytes, used));
  page.fill(0, used - bytes, used);
  return bits;
}

export function isSecret(kind: SecretKind, value: string): boolean {
  return value.length === 55 && value.startsWith(prefixes[kind]) && value.slice(-6) === checksum(value.slice(0, -6));
}

/** For text from outside that is to be kept: a secret of ours may stand in it by somebody's mistake, and goes as a whole. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/lk_(?:at|rt|ac|cs)_[\w%-]*/gi, '(secret)');
}

/** What the database keeps instead of a secret. Fast on purpose: 256 random bits cannot be guessed, only stolen [6819 §5.1.4.1.3]. */
export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/**
 * The successors of a refresh token are a function of the token itself and a random salt.
 * The database knows the salt but not the token, so only who presents the old token can be given its successor again.
 */
export function deriveSuccessor(kind: SecretKind, refreshToken: string, salt: Buffer): string {
  return createSecret(kind, createHmac('sha256', refreshToken).update(kind).update(salt).digest());
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}
