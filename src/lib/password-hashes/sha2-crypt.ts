import { createHash } from 'node:crypto';
import { crypt64 } from './crypt64.ts';
import { type HashFormat, numberIn } from './hash-format.ts';
import { inSlices } from './slices.ts';

type Algorithm = 'sha256' | 'sha512';

/** What a hash without `rounds=` means. */
const usualRounds = '5000';

/** crypt(3) of Unix, with SHA-256 ($5$) or SHA-512 ($6$), as Ulrich Drepper has specified it (version 0.6). */
export const sha2CryptFormat: HashFormat = {
  name: 'sha2-crypt',
  read(text) {
    const [, id, rounds = usualRounds, tail = ''] =
      /^\$([56])\$(?:rounds=([0-9A-Za-z.+-]{0,20})\$)?(.*)$/s.exec(text) ?? [];
    if (id === undefined) return undefined;
    const [, salt, digest] = /^([./A-Za-z0-9]{1,16})\$([./A-Za-z0-9]{43}|[./A-Za-z0-9]{86})$/.exec(tail) ?? [];
    const algorithm = id === '5' ? 'sha256' : 'sha512';
    const count = numberIn(rounds);
    const isWhole = digest?.length === (id === '5' ? 43 : 86);
    return {
      costs: [{ name: 'rounds', text: rounds, range: [1000, 1_000_000] }],
      work: () => ({
        family: `${algorithm}-crypt`,
        amount: count,
        memory: 0,
        spend: (password, amount) => crypt(algorithm, password, Buffer.alloc(16, 'nobody'), amount),
      }),
      digest:
        salt === undefined || !isWhole
          ? undefined
          : {
              expected: Buffer.from(digest),
              derive: async (password) =>
                Buffer.from(encode(algorithm, await crypt(algorithm, password, Buffer.from(salt), count))),
            },
    };
  },
};

/** Repeats the digest up to this length. */
const stretchTo = (length: number, digest: Buffer) => Buffer.alloc(length, digest);

async function crypt(algorithm: Algorithm, password: Buffer, salt: Buffer, rounds: number): Promise<Buffer> {
  const hash = (...parts: Buffer[]) => createHash(algorithm).update(Buffer.concat(parts)).digest();
  const alternate = hash(password, salt, password);
  // the binary digits of the length, from the lowest on
  const byDigits = [...password.length.toString(2)].reverse().map((digit) => (digit === '1' ? alternate : password));
  let digest = hash(password, salt, stretchTo(password.length, alternate), ...(password.length > 0 ? byDigits : []));
  const p = stretchTo(password.length, hash(...Array<Buffer>(password.length).fill(password)));
  const s = stretchTo(salt.length, hash(...Array<Buffer>(16 + (digest[0] ?? 0)).fill(salt)));
  await inSlices(rounds, (index) => {
    const isOdd = index % 2 === 1;
    const middle = [index % 3 === 0 ? none : s, index % 7 === 0 ? none : p];
    digest = hash(isOdd ? p : digest, ...middle, isOdd ? digest : p);
  });
  return digest;
}

const none = Buffer.alloc(0);

/** Encodes three bytes at a time; their order turns by one place from group to group, and the last group is shorter. */
function encode(algorithm: Algorithm, digest: Buffer): string {
  const third = algorithm === 'sha256' ? 10 : 21;
  const turns =
    algorithm === 'sha256'
      ? [
          [2, 1, 0],
          [1, 0, 2],
          [0, 2, 1],
        ]
      : [
          [2, 1, 0],
          [0, 2, 1],
          [1, 0, 2],
        ];
  const groups = Array.from({ length: third }, (_, group) =>
    (turns[group % 3] ?? []).map((place) => group + third * place),
  );
  const rest = algorithm === 'sha256' ? [30, 31] : [63];
  return [...groups, rest].map((places) => crypt64(places.map((place) => digest[place] ?? 0))).join('');
}
