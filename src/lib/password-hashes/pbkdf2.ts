import { pbkdf2 as pbkdf2WithCallback } from 'node:crypto';
import { promisify } from 'node:util';
import { base64, type Cost, type Digest, type HashFormat, numberIn, type ReadHash, type Work } from './hash-format.ts';

const pbkdf2 = promisify(pbkdf2WithCallback);

/** Bytes that one round makes. A longer digest takes all rounds again for each of its blocks. */
const blockLengths = { sha1: 20, sha256: 32, sha512: 64 } as const;
export type Prf = keyof typeof blockLengths;

const isPrf = (name: string | undefined): name is Prf => name !== undefined && Object.hasOwn(blockLengths, name);

export const roundsCost = (name: string, text: string): Cost => ({ name, text, range: [1, 2_000_000] });

export function pbkdf2Work(prf: Prf, rounds: number, length: number): Work {
  return {
    family: `pbkdf2-${prf}`,
    amount: rounds * Math.ceil(length / blockLengths[prf]),
    memory: 4096,
    spend: (password, amount) => pbkdf2(password, Buffer.alloc(16, 'nobody'), amount, blockLengths[prf], prf),
  };
}

export function pbkdf2Digest(prf: Prf, rounds: number, salt: Buffer, expected: Buffer): Digest {
  return { expected, derive: (password) => pbkdf2(password, salt, rounds, expected.length, prf) };
}

interface Parts {
  prf: Prf;
  rounds: Cost;
  length?: number;
  salt: Buffer | undefined;
  expected: Buffer | undefined;
}

/** `length`: of the digest, if it may have another one than a block. */
function readParts({ prf, rounds, length = blockLengths[prf], salt, expected }: Parts): ReadHash {
  const isWhole = salt !== undefined && salt.length > 0 && expected?.length === length;
  return {
    costs: [rounds],
    work: () => pbkdf2Work(prf, numberIn(rounds.text), length),
    digest: isWhole ? pbkdf2Digest(prf, numberIn(rounds.text), salt, expected) : undefined,
  };
}

/** pbkdf2_sha256$600000$salt$digest: the salt is a text, and its bytes are those of the text. */
export const djangoPbkdf2Format: HashFormat = {
  name: 'Django pbkdf2',
  read(text) {
    const [, prf, rounds, tail = ''] = /^pbkdf2_(sha1|sha256)\$([0-9A-Za-z.+-]{0,20})\$(.*)$/s.exec(text) ?? [];
    if (!isPrf(prf) || rounds === undefined) return undefined;
    const [, salt, digest] = /^([A-Za-z0-9+/=._-]{1,128})\$([A-Za-z0-9+/]{27}=|[A-Za-z0-9+/]{43}=)$/.exec(tail) ?? [];
    return readParts({
      prf,
      rounds: roundsCost('rounds', rounds),
      salt: salt === undefined ? undefined : Buffer.from(salt),
      expected: digest === undefined ? undefined : base64(digest),
    });
  },
};

/** $pbkdf2-sha256$29000$salt$digest; without a name of the hash it is SHA-1. Its base64 has a dot where others have a plus. */
export const passlibPbkdf2Format: HashFormat = {
  name: 'passlib pbkdf2',
  read(text) {
    const [, suffix, rounds, tail = ''] =
      /^\$pbkdf2(|-sha256|-sha512)\$([0-9A-Za-z.+-]{0,20})\$(.*)$/s.exec(text) ?? [];
    if (suffix === undefined || rounds === undefined) return undefined;
    const prf = suffix.slice(1) || 'sha1';
    if (!isPrf(prf)) return undefined;
    const [, salt, digest] = /^([A-Za-z0-9./]{2,255})\$([A-Za-z0-9./]{27,86})$/.exec(tail) ?? [];
    const bytes = (part: string | undefined) => (part === undefined ? undefined : base64(part.replaceAll('.', '+')));
    return readParts({ prf, rounds: roundsCost('rounds', rounds), salt: bytes(salt), expected: bytes(digest) });
  },
};

/**
 * $pbkdf2-sha512$i=210000,l=64$salt$digest, the string of PHC. Keycloak's export becomes one: `i` is hashIterations of
 * credentialData, `l` the number of bytes of the digest, and salt and digest are salt and value of secretData without `=` at their end.
 */
export const phcPbkdf2Format: HashFormat = {
  name: 'PHC pbkdf2',
  read(text) {
    const [, prf, rounds, l, tail = ''] =
      /^\$pbkdf2-(sha1|sha256|sha512)\$i=([0-9A-Za-z.+-]{0,20})(?:,l=(1[6-9]|[2-5][0-9]|6[0-4]))?\$(.*)$/s.exec(text) ??
      [];
    if (!isPrf(prf) || rounds === undefined) return undefined;
    const [, salt, digest] = /^([A-Za-z0-9+/]{2,128})\$([A-Za-z0-9+/]{22,86})$/.exec(tail) ?? [];
    return readParts({
      prf,
      rounds: roundsCost('i', rounds),
      ...(l === undefined ? {} : { length: Number(l) }),
      salt: salt === undefined ? undefined : base64(salt),
      expected: digest === undefined ? undefined : base64(digest),
    });
  },
};
