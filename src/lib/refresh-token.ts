import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createSecret, isSecret, secretBytes, thisSecond } from './secrets.ts';

// The text of a refresh token says to which family it belongs and how many came before it, and has a tag that only this server can
// make. So an old token is recognised although the database knows nothing of it but its family.

/**
 * What the text of a refresh token says. The database compares the first three members; the tag proves tokens that it has
 * forgotten.
 */
export interface RefreshToken {
  /** the key of the code for which the first token of the family was issued */
  family_key: Buffer;
  /** how many refresh tokens the family had before */
  generation: number;
  refresh_token_sha256: Buffer;
  /** seconds since 1970 */
  made_at: number;
  /** all of that and 256 random bits */
  core: Buffer;
  tag: Buffer;
}

/** The highest generation, less than the largest integer of Postgres: nobody refreshes so often. */
const maxGeneration = 2 ** 31 - 2;
const [numberLength, tagLength, checksumLength] = [4, 16, 6];

/** A refresh token that somebody has sent. */
export interface PresentedToken extends Pick<RefreshToken, 'family_key' | 'refresh_token_sha256' | 'generation'> {
  /** whether its tag is right, so that this server has issued it */
  is_genuine: boolean;
}

/** The values by which the row of a code or token of any kind is found. */
export interface CredentialKeys {
  /** the key of the code; a refresh token has the key of its family */
  key: Buffer;
  refresh_token?: PresentedToken & Pick<RefreshToken, 'made_at'>;
}

export interface NewRefreshToken {
  refresh_token: string;
  refresh_token_sha256: Buffer;
}

interface Beginning {
  family_key: Buffer;
  generation: number;
  made_at?: number;
}

export function createRefreshToken(
  sessionSecret: string,
  { family_key, generation, made_at = Math.floor(Date.now() / 1000) }: Beginning,
  bits = randomBytes(secretBytes),
): NewRefreshToken {
  const numbers = Buffer.alloc(2 * numberLength);
  numbers.writeUInt32BE(generation);
  numbers.writeUInt32BE(made_at, numberLength);
  const core = Buffer.concat([family_key, numbers, bits]);
  const text = createSecret('refresh_token', Buffer.concat([core, tagOf(core, sessionSecret)]));
  return { refresh_token: text, refresh_token_sha256: digestOfCore(core) };
}

/** Undefined for a text that cannot be a refresh token. Whether this server has issued it, the database or the tag says. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  if (!isSecret('refresh_token', text)) return undefined;
  const bytes = Buffer.from(text.slice('lk_rt_'.length, -checksumLength), 'base64url');
  const core = bytes.subarray(0, -tagLength);
  const numbers = core.length - secretBytes - 2 * numberLength;
  const generation = core.readUInt32BE(numbers);
  if (generation > maxGeneration) return undefined;
  return {
    family_key: core.subarray(0, numbers),
    generation,
    refresh_token_sha256: digestOfCore(core),
    made_at: core.readUInt32BE(numbers + numberLength),
    core,
    tag: bytes.subarray(-tagLength),
  };
}

/** Stands in for a text that cannot be a refresh token: no family has this key. */
export const impossibleToken: RefreshToken = {
  family_key: Buffer.alloc(0),
  generation: 0,
  refresh_token_sha256: Buffer.alloc(0),
  made_at: 0,
  core: Buffer.alloc(0),
  tag: Buffer.alloc(tagLength),
};

/** Whether the tag was made with one of the secrets. */
export function isGenuine({ core, tag }: RefreshToken, sessionSecrets: readonly string[]): boolean {
  return sessionSecrets.some((secret) => timingSafeEqual(tagOf(core, secret), tag));
}

function tagOf(core: Buffer, sessionSecret: string): Buffer {
  return createHmac('sha256', sessionSecret).update('refresh token\n').update(core).digest().subarray(0, tagLength);
}

/** Leaves out the tag, which may be made with another secret when an answer is repeated. */
const digestOfCore = (core: Buffer): Buffer => hash('sha256', core, 'buffer');

/** The tokens that a refresh gives. */
export interface Successors extends NewRefreshToken {
  access_token: string;
}

/**
 * Derives the successors from the refresh token and a random salt. The database has the salt but not the token, so only the holder
 * of the old token can obtain its successors again.
 */
export function deriveSuccessors(
  { core, family_key, generation }: RefreshToken,
  salt: Buffer,
  sessionSecret: string,
): Successors {
  // one-step key derivation [NIST SP 800-56C §4.1] from a counter, the secret and the salt; half of the bits for each successor
  const bits = hash('sha512', Buffer.concat([firstBlock, core, salt]), 'buffer');
  const time = salt.toString('latin1', saltLength);
  const next = { family_key, generation: generation + 1, made_at: Number.parseInt(time, 36) };
  return {
    access_token: createSecret('access_token', bits.subarray(0, secretBytes), time),
    ...createRefreshToken(sessionSecret, next, bits.subarray(secretBytes)),
  };
}

const firstBlock = Buffer.from([0, 0, 0, 1]);

const saltLength = 16;

/** Random bits, then the creation time of the successors, so that a repeated derivation gives the same tokens. */
export function createSuccessorSalt(): Buffer {
  return Buffer.concat([randomBytes(saltLength), Buffer.from(thisSecond())]);
}
