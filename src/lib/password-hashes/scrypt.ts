import { createCipheriv, scrypt as scryptWithCallback } from 'node:crypto';
import { promisify } from 'node:util';
import { base64, type Cost, type HashFormat, numberIn, type Work } from './hash-format.ts';

type Options = Record<'N' | 'r' | 'p' | 'maxmem', number>;
const scrypt = promisify<Buffer, Buffer, number, Options, Buffer>(scryptWithCallback);

/** 256 MiB: N · r blocks of 128 bytes. p only repeats the work. */
const maxProduct = 2 ** 21;

interface Parameters {
  readonly [name: string]: string;
}

/** The costs as both formats have them, each by its own names. */
function readCosts(parameters: Parameters) {
  const costs: Cost[] = Object.entries(parameters).map(([name, text], at) => ({
    name,
    text,
    range: at === 0 ? [1, 17] : [1, 16],
  }));
  const [logarithm = 0, r = 0, p = 0] = costs.map(({ text }) => numberIn(text));
  const N = 2 ** logarithm;
  const memory = 128 * r * (N + p);
  const derive = (password: Buffer, salt: Buffer, length: number) =>
    scrypt(password, salt, length, { N, r, p, maxmem: memory + 2 ** 20 });
  const names = Object.keys(parameters);
  const problemTogether = () => {
    // N < 2^(128 · r / 8) [7914 §2]
    if (logarithm >= 16 * r) return `${names[0]} is not less than 16 · ${names[1]}`;
    return N * r * p > maxProduct ? `2^${names[0]} · ${names[1]} · ${names[2]} is more than ${maxProduct}` : undefined;
  };
  const work = (): Work => ({
    family: `scrypt ln=${logarithm},r=${r},p=${p}`,
    amount: 1,
    memory,
    spend: (password) => derive(password, Buffer.alloc(16, 'nobody'), 32),
  });
  return { costs, problemTogether, work, derive };
}

/** The string of PHC, as passlib writes it. */
export const scryptFormat: HashFormat = {
  name: 'scrypt',
  read(text) {
    const [, ln, r, p, tail = ''] =
      /^\$scrypt\$ln=([0-9A-Za-z.+-]{0,20}),r=([0-9A-Za-z.+-]{0,20}),p=([0-9A-Za-z.+-]{0,20})\$(.*)$/s.exec(text) ?? [];
    if (ln === undefined || r === undefined || p === undefined) return undefined;
    const [, salt, digest] = /^([A-Za-z0-9+/]{2,86})\$([A-Za-z0-9+/]{22,86})$/.exec(tail) ?? [];
    const { derive, ...read } = readCosts({ ln, r, p });
    if (salt === undefined || digest === undefined) return { ...read, digest: undefined };
    const expected = base64(digest);
    return {
      ...read,
      digest: { expected, derive: (password) => derive(password, base64(salt), expected.length) },
    };
  },
};

/**
 * Firebase encrypts a key of the project, `sk`, with what scrypt makes of the password. `ss` stands after each salt; n is its
 * mem_cost, r its rounds.
 */
export const firebaseFormat: HashFormat = {
  name: 'fbscrypt',
  read(text) {
    const [, n, r, p, tail = ''] =
      /^\$fbscrypt\$v=1,n=([0-9A-Za-z.+-]{0,20}),r=([0-9A-Za-z.+-]{0,20}),p=([0-9A-Za-z.+-]{0,20}),(.*)$/s.exec(text) ??
      [];
    if (n === undefined || r === undefined || p === undefined) return undefined;
    const [, ss, sk, salt, digest] =
      /^ss=([A-Za-z0-9_+/-]{0,24}={0,2}),sk=([A-Za-z0-9_+/-]{86}==)\$([A-Za-z0-9_+/-]{2,86}={0,2})\$([A-Za-z0-9_+/-]{86}==)$/.exec(
        tail,
      ) ?? [];
    const { derive, ...read } = readCosts({ n, r, p });
    if (ss === undefined || sk === undefined || salt === undefined || digest === undefined) {
      return { ...read, digest: undefined };
    }
    const wholeSalt = Buffer.concat([base64(salt), base64(ss)]);
    const encrypt = async (password: Buffer) =>
      createCipheriv('aes-256-ctr', await derive(password, wholeSalt, 32), Buffer.alloc(16)).update(base64(sk));
    return { ...read, digest: { expected: base64(digest), derive: encrypt } };
  },
};
