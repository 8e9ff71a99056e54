import { createHash, createHmac } from 'node:crypto';
import bcrypt from 'bcrypt';
import { passwordMaxBytes } from '../password-rules.ts';
import { base64, type HashFormat, type Work } from './hash-format.ts';

type Prepare = (password: Buffer) => Buffer;

const asItIs: Prepare = (password) => password;
/** Lets bcrypt see every byte of a password of any length. */
const hexOfSha256: Prepare = (password) => Buffer.from(createHash('sha256').update(password).digest('hex'));

/** WordPress hashes this way since 6.8. */
const wordPress: Prepare = (password) =>
  Buffer.from(createHmac('sha384', 'wp-sha384').update(password).digest('base64'));

/**
 * What stands before a plain hash, and what that is the hash of: bcrypt$ and bcrypt_sha256$ are Django's, $wp is that of WordPress.
 */
const preparations: ReadonlyMap<string, Prepare> = new Map([
  ['', asItIs],
  ['bcrypt$', asItIs],
  ['bcrypt_sha256$', hexOfSha256],
  ['$wp', wordPress],
]);

/**
 * 2a and 2y are names of 2b here: they differ in the faults of old programs, which 2x stands for, and it is refused. The library
 * does one thing differently in 2a, and only with more bytes than bcrypt reads.
 */
export const bcryptFormat: HashFormat = {
  name: 'bcrypt',
  read(text) {
    const [, preparation, cost, tail = ''] =
      /^((?:bcrypt(?:_sha256)?\$|\$wp)?)\$2[aby]\$([0-9]{2})\$(.*)$/s.exec(text) ?? [];
    const prepare = preparations.get(preparation ?? '');
    if (cost === undefined || prepare === undefined) return undefined;
    const [, salt, digest] = /^([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/.exec(tail) ?? [];
    return {
      costs: [{ name: 'cost', text: cost.replace(/^0/, ''), range: [4, 14] }],
      work: () => bcryptWork(Number(cost)),
      digest:
        salt === undefined || digest === undefined
          ? undefined
          : {
              expected: bytesOf(digest),
              derive: async (password) => bytesOf((await bcryptOf(prepare(password), Number(cost), salt)).slice(-31)),
            },
    };
  },
};

export function bcryptWork(cost: number): Work {
  return {
    family: 'bcrypt',
    amount: 2 ** cost,
    memory: 4096,
    // cost c takes 2^c work, so any amount is a sum of costs, namely its binary digits
    async spend(password, amount) {
      for (let one = 4; 2 ** one <= amount; one += 1) {
        if (Math.floor(amount / 2 ** one) % 2 === 1) await bcryptOf(password, one, saltOfNobody);
      }
    },
  };
}

const saltOfNobody = 'iejSGpZkVCNPxDQ7a107se';

/** Stands in for a missing hash: a password is compared with it all the same, since reading a hash takes time, too. */
export const hashOfNobody = (cost: number) => `${settingOf(cost, saltOfNobody)}${'.'.repeat(31)}`;

const settingOf = (cost: number, salt: string) => `$2b$${String(cost).padStart(2, '0')}$${salt}`;

function bcryptOf(password: Buffer, cost: number, salt: string): Promise<string> {
  return bcrypt.hash(password.subarray(0, passwordMaxBytes), settingOf(cost, salt));
}

/**
 * Whether bcrypt by itself tells a password from every other one. It repeats a password and the NUL after it, so to bcrypt
 * `x`, NUL, `x` is the password `x`; and 72 bytes are all that begins with them. migrations/functions/register_user.sql has the same.
 */
const isWholeForBcrypt = (password: Buffer) => password.length < passwordMaxBytes && !password.includes(0);

/** Whether every byte of the password counts in this hash. */
export const isWhole = (hash: string, password: Buffer): boolean =>
  password.length <= passwordMaxBytes || !/^(bcrypt\$)?\$2[aby]\$/.test(hash);

/** A new hash, in which every byte counts: plain bcrypt where that suffices, otherwise bcrypt of a digest, in Django's spelling. */
export async function newBcryptHash(password: string, cost: number): Promise<string> {
  const bytes = Buffer.from(password);
  if (isWholeForBcrypt(bytes)) return bcrypt.hash(bytes, cost);
  return `bcrypt_sha256$${await bcrypt.hash(hexOfSha256(bytes), cost)}`;
}

/** Whether the stored hash of this password is as `newBcryptHash` makes it. */
export function isNewBcryptHash(hash: string, password: string, cost: number): boolean {
  const [, preparation, stored] = /^((?:bcrypt_sha256\$)?)\$2[aby]\$(\d\d)\$/.exec(hash) ?? [];
  return Number(stored) === cost && preparation === (isWholeForBcrypt(Buffer.from(password)) ? '' : 'bcrypt_sha256$');
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bits of the last character that mean nothing are not compared: some programs have set them. */
function bytesOf(text: string): Buffer {
  return base64([...text].map((character) => standard[alphabet.indexOf(character)]).join(''));
}
