import { atFirstUse } from '../at-first-use.ts';
import { base64, type HashFormat, numberIn } from './hash-format.ts';

const library = atFirstUse<typeof import('@node-rs/argon2')>('@node-rs/argon2');
/** The library's numbers: its enums are no values at run time. */
const [argon2i, argon2id, v16, v19] = [1, 2, 0, 1] as const;

/** The string of PHC and of the reference program; Django writes its name before it. A lane more costs no time here: they take turns. */
export const argon2Format: HashFormat = {
  name: 'argon2',
  read(text) {
    const [, variant, version, m, t, p, tail = ''] =
      /^(?:argon2)?\$argon2(id|i)\$v=(16|19)\$m=([0-9A-Za-z.+-]{0,20}),t=([0-9A-Za-z.+-]{0,20}),p=([0-9A-Za-z.+-]{0,20})\$(.*)$/s.exec(
        text,
      ) ?? [];
    if (m === undefined || t === undefined || p === undefined) return undefined;
    const [memoryCost, timeCost, parallelism] = [numberIn(m), numberIn(t), numberIn(p)];
    const [, salt, digest] = /^([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,86})$/.exec(tail) ?? [];
    const costs = { memoryCost, timeCost, parallelism };
    const algorithm = variant === 'i' ? argon2i : argon2id;
    const options = { ...costs, algorithm, version: version === '16' ? v16 : v19 };
    return {
      costs: [
        { name: 'm', text: m, range: [8, 262_144] },
        { name: 't', text: t, range: [1, 10] },
        { name: 'p', text: p, range: [1, 16] },
      ],
      problemTogether: () => (memoryCost < 8 * parallelism ? 'm is less than 8 times p' : undefined),
      work: () => ({
        family: `argon2 m=${m},t=${t}`,
        amount: 1,
        memory: memoryCost * 1024,
        spend: (password) =>
          library().hashRaw(password, { ...options, salt: Buffer.alloc(16, 'nobody'), outputLen: 32 }),
      }),
      digest:
        salt === undefined || digest === undefined
          ? undefined
          : {
              expected: base64(digest),
              derive: (password) =>
                library().hashRaw(password, { ...options, salt: base64(salt), outputLen: base64(digest).length }),
            },
    };
  },
};
