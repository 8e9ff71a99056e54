import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefixes by which people and secret scanners recognise a leaked secret. */
const prefixes = {
  access_token: 'lk_at_',
  refresh_token: 'lk_rt_',
  authorization_code: 'lk_ac_',
  client_secret: 'lk_cs_',
  /** permits a client to register itself [7591 §1.2] */
  initial_access_token: 'lk_it_',
  /** permits it to read and change its registration [7592 §1] */
  registration_access_token: 'lk_ra_',
  /** in the link of a mail */
  mailed_link: 'lk_ml_',
} as const;

export type SecretKind = keyof typeof prefixes;
export type CredentialKind = 'authorization_code' | 'access_token' | 'refresh_token';

/** Random ones in each secret. */
export const secretBytes = 32;

/** Prefix, optional creation time, 256 random bits and a CRC-32 checksum, by which a typo is refused without a query. */
export function createSecret(kind: SecretKind, bits: Buffer = randomBytes(secretBytes), time = ''): string {
  const body = prefixes[kind] + time + bits.toString('base64url');
  return body + checksum(body);
}

/** A code or access token: a secret with its creation time, see credentialKey. */
export function createCredential(kind: Exclude<CredentialKind, 'refresh_token'>, bits?: Buffer): string {
  return createSecret(kind, bits, thisSecond());
}

export function thisSecond(): string {
  return Math.floor(Date.now() / 1000).toString(36);
}

const secretSyntax = /^lk_[a-z]{2}_([0-9a-z]{6,7})?[\w-]{49}$/;
/** Its bits are longer, see refresh-token.ts. */
const refreshTokenSyntax = /^lk_rt_[\w-]{132,133}$/;

export function isSecret(kind: SecretKind, value: string): boolean {
  const syntax = kind === 'refresh_token' ? refreshTokenSyntax : secretSyntax;
  return syntax.test(value) && value.startsWith(prefixes[kind]) && value.slice(-6) === checksum(value.slice(0, -6));
}

/** Identifies a secret of a client on pages, in forms and commands: the first bytes of its digest, never of its value. */
export function handleOf(digest: Buffer): string {
  return digest.toString('hex', 0, 4);
}

export function digestOfHandle(
  { secrets_sha256 }: { secrets_sha256: readonly Buffer[] },
  handle: string,
): Buffer | undefined {
  return secrets_sha256.find((digest) => handleOf(digest) === handle);
}

/** Characters that are kept of a value from a request that is logged, stored or repeated in an error. */
export const keptCharacters = 300;

/**
 * The beginning of a text of a request, without secrets of this server and JWTs that it contains by mistake. The text is cut before
 * anything is done with it. A secret that is cut in the middle is removed, too.
 */
export function withoutSecrets(text: string, kept = keptCharacters): string {
  const isCut = text.length > kept;
  const beginning = text.slice(0, kept);
  // a shortcut for almost all texts
  if (!/lk_|eyJ|%/i.test(beginning)) return beginning;
  return beginning.replaceAll(words, (word, start: number) => {
    const isEndMissing = isCut && start + word.length === beginning.length;
    const secret = firstSecretIn(word, isEndMissing);
    return secret < 0 ? word : `${word.slice(0, secret)}(secret)`;
  });
}

/** Where a secret can stand; split into words once, so that no character is read again for each beginning of a secret. */
const words = /[\w.%-]+/g;

/** A JWT begins with an encoded `{"` and has a dot. */
function firstSecretIn(word: string, isEndMissing: boolean): number {
  const ofServer = word.search(secretBeginning);
  if (ofServer >= 0) return ofServer;
  const jwt = word.search(jwtBeginning);
  return jwt >= 0 && (isEndMissing || dot.test(word.slice(jwt))) ? jwt : -1;
}

const secretBeginning = anyCase(Object.values(prefixes));
const jwtBeginning = anyCase(['eyJ']);
const dot = anyCase(['.']);

/** Finds one of the texts, in either letter case, also where characters are percent-encoded, once or several times. */
function anyCase(texts: readonly string[]): RegExp {
  const spelled = (character: string) => {
    const codes = [character.toLowerCase(), character.toUpperCase()].map((one) => one.charCodeAt(0).toString(16));
    return `(?:${character === '.' ? '\\.' : character}|%(?:25)*(?:${codes.join('|')}))`;
  };
  return new RegExp(texts.map((text) => [...text].map(spelled).join('')).join('|'), 'i');
}

/** What the database stores instead of a secret. A fast hash suffices, because 256 random bits cannot be guessed [6819 §5.1.4.1.3]. */
export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The digest of several texts: with their lengths, or the end of one could pass as the beginning of the next. */
export function digestOfParts(...parts: readonly string[]): Buffer {
  return digestOf(parts.map((part) => `${part.length}:${part}`).join(''));
}

/**
 * What the database stores instead of a code or access token: the creation time in seconds, then the digest, so that index inserts
 * stay sequential. With the digest alone, each insert would read a random page of an index that is larger than the memory, and
 * write it in full after a checkpoint.
 */
export function credentialKey(credential: string): Buffer {
  const [, time] = secretSyntax.exec(credential) ?? [];
  const digest = digestOf(credential);
  return time === undefined ? digest : Buffer.concat([Buffer.from(time), digest]);
}

/** The key of the row of a code or access token; undefined if the text is none. */
export function keyOf(kind: Exclude<CredentialKind, 'refresh_token'>, text: string): Buffer | undefined {
  return isSecret(kind, text) ? credentialKey(text) : undefined;
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}
