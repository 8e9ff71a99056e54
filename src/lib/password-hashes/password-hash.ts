import { timingSafeEqual } from 'node:crypto';
import { argon2Format } from './argon2.ts';
import { aspnetFormat } from './aspnet.ts';
import { bcryptFormat } from './bcrypt.ts';
import { type HashFormat, type HashProblem, numberIn, type ReadHash, type Work } from './hash-format.ts';
import { djangoPbkdf2Format, passlibPbkdf2Format, phcPbkdf2Format } from './pbkdf2.ts';
import { phpassFormat } from './phpass.ts';
import { firebaseFormat, scryptFormat } from './scrypt.ts';
import { sha2CryptFormat } from './sha2-crypt.ts';

/**
 * All formats of hashes that passwords are compared with. A new format is a file, a line here, and a row in
 * migrations/functions/check_password_hash.sql.
 */
export const formats: readonly HashFormat[] = [
  bcryptFormat,
  argon2Format,
  scryptFormat,
  firebaseFormat,
  djangoPbkdf2Format,
  phcPbkdf2Format,
  passlibPbkdf2Format,
  aspnetFormat,
  phpassFormat,
  sha2CryptFormat,
];

/** Bytes of a hash; a longer hash is not read. The longest that is accepted has a salt of 255 characters. */
const maxLength = 1500;

/** A password longer than this is not compared: a hundred and twenty-eight characters of four bytes each. */
export const comparedMaxBytes = 512;

const unknown: HashProblem = {
  rule: 'unknown',
  sentence: 'the password hash has none of the formats that are accepted',
};

function read(text: string): { format: HashFormat; hash: ReadHash } | undefined {
  if (Buffer.byteLength(text) > maxLength) return undefined;
  for (const format of formats) {
    const hash = format.read(text);
    if (hash) return { format, hash };
  }
  return undefined;
}

function costProblem(name: string, hash: ReadHash): HashProblem | undefined {
  for (const cost of hash.costs) {
    const [min, max] = cost.range;
    const value = numberIn(cost.text);
    if (!(value >= min && value <= max)) {
      const sentence = `the ${name} hash has ${cost.name}=${cost.text}; accepted are ${min} to ${max}`;
      return { rule: 'cost', sentence };
    }
  }
  const together = hash.problemTogether?.();
  return together === undefined ? undefined : { rule: 'cost', sentence: `in the ${name} hash, ${together}` };
}

/** Says why this hash cannot be imported, and no password is compared with it; undefined if it is accepted. */
export function passwordHashProblem(text: string): HashProblem | undefined {
  const found = read(text);
  if (!found) return unknown;
  const { format, hash } = found;
  const sentence = `salt or digest of the ${format.name} hash are missing, cut short or malformed`;
  return costProblem(format.name, hash) ?? (hash.digest ? undefined : { rule: 'malformed', sentence });
}

/**
 * What comparing a password with a hash costs, known from its beginning, the part before its salt, for which
 * identity/password-kinds.sql.ts has an index. Undefined if no password is compared with such a hash.
 */
export function workOf(beginning: string): Work | undefined {
  const found = read(beginning);
  return found && !costProblem(found.format.name, found.hash) ? found.hash.work() : undefined;
}

/** False, too, for a hash that passwordHashProblem refuses: no password is compared with it. */
export async function isPasswordOf(hash: string, password: Buffer): Promise<boolean> {
  const digest = passwordHashProblem(hash) ? undefined : read(hash)?.hash.digest;
  if (!digest || password.length > comparedMaxBytes) return false;
  const derived = await digest.derive(password);
  return derived.length === digest.expected.length && timingSafeEqual(derived, digest.expected);
}

/** The name of the format, for people. */
export function formatName(beginning: string): string {
  return read(beginning)?.format.name ?? 'unknown';
}
