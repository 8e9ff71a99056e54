import { createHash } from 'node:crypto';
import { crypt64, crypt64Digits } from './crypt64.ts';
import type { HashFormat } from './hash-format.ts';
import { inSlices } from './slices.ts';

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** The portable hash of phpass, which WordPress ($P$) and phpBB ($H$) had: one digit for the cost, eight characters of salt. */
export const phpassFormat: HashFormat = {
  name: 'phpass',
  read(text) {
    const [, digit, tail = ''] = /^\$[PH]\$([./A-Za-z0-9])(.*)$/s.exec(text) ?? [];
    if (digit === undefined) return undefined;
    const cost = crypt64Digits.indexOf(digit);
    const [, salt, digest] = /^([./A-Za-z0-9]{8})([./A-Za-z0-9]{22})$/.exec(tail) ?? [];
    return {
      costs: [{ name: 'cost', text: String(cost), range: [7, 18] }],
      work: () => ({
        family: 'phpass',
        amount: 2 ** cost,
        memory: 0,
        spend: (password, rounds) => stretch(password, 'nobody__', rounds),
      }),
      digest:
        salt === undefined || digest === undefined
          ? undefined
          : {
              expected: Buffer.from(digest),
              derive: async (password) => Buffer.from(crypt64([...(await stretch(password, salt, 2 ** cost))])),
            },
    };
  },
};

async function stretch(password: Buffer, salt: string, rounds: number): Promise<Buffer> {
  let digest = md5(Buffer.from(salt), password);
  await inSlices(rounds, () => {
    digest = md5(digest, password);
  });
  return digest;
}
