import { hash, randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefixes by which people and secret scanners recognise what they have found. */
const prefixes = {
  access_token: 'lk_at_',
  refresh_token: 'lk_rt_',
  authorization_code: 'lk_ac_',
  client_secret: 'lk_cs_',
} as const;

export type SecretKind = keyof typeof prefixes;
export type CredentialKind = Exclude<SecretKind, 'client_secret'>;

/** Prefix, a time or none, 256 random bits, CRC-32 of it all: a typo or a truncated value is refused without a query. */
export function createSecret(kind: SecretKind, bits: Buffer = randomBits(32), time = ''): string {
  const body = prefixes[kind] + time + bits.toString('base64url');
  return body + checksum(body);
}

/** A secret whose row is found by it, by the million: it begins with the second in which it was made, see credentialKey. */
export function createCredential(kind: CredentialKind): string {
  return createSecret(kind, randomBits(32), thisSecond());
}

function thisSecond(): string {
  return Math.floor(Date.now() / 1000).toString(36);
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

const secretSyntax = /^lk_[a-z]{2}_([0-9a-z]{6,7})?[\w-]{49}$/;

export function isSecret(kind: SecretKind, value: string): boolean {
  return (
    secretSyntax.test(value) && value.startsWith(prefixes[kind]) && value.slice(-6) === checksum(value.slice(0, -6))
  );
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
 * What the database keeps instead of a code or token: its digest behind the second in which it was made. By the digest
 * alone every new row would belong to another page of the index, and of an index that has outgrown the memory each of
 * them is read, and written in full after a checkpoint; so they follow each other, however many there are.
 */
export function credentialKey(credential: string): Buffer {
  const [, time] = secretSyntax.exec(credential) ?? [];
  const digest = digestOf(credential);
  return time === undefined ? digest : Buffer.concat([Buffer.from(time), digest]);
}

/**
 * The successors of a refresh token are a function of the token itself and a random salt.
 * The database knows the salt but not the token, so only who presents the old token can be given its successor again.
 */
export function deriveSuccessors(refreshToken: string, salt: Buffer): { access_token: string; refresh_token: string } {
  // one-step key derivation [NIST SP 800-56C §4.1]: a counter, the secret, what else belongs to it; half the bits for each
  const bits = hash('sha512', Buffer.concat([firstBlock, Buffer.from(refreshToken), salt]), 'buffer');
  const time = salt.toString('latin1', 16);
  return {
    access_token: createSecret('access_token', bits.subarray(0, 32), time),
    refresh_token: createSecret('refresh_token', bits.subarray(32), time),
  };
}

const firstBlock = Buffer.from([0, 0, 0, 1]);

/** Random bits, then the second in which the successors are made: their repetition has to be the same to the letter. */
export function createSuccessorSalt(): Buffer {
  return Buffer.concat([randomBits(16), Buffer.from(thisSecond())]);
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}
