// ci: computes the dearest hash of every kind
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formats, isPasswordOf, passwordHashProblem, workOf } from '../../../src/lib/password-hashes/password-hash.ts';

type Costs = readonly number[];
/** A hash with these costs, and with the shortest or longest salt and digest. */
type Template = (costs: Costs, isLong: boolean) => string;

const text = (isLong: boolean, short: number, long: number) => 'A'.repeat(isLong ? long : short);
const key = `${'A'.repeat(86)}==`;
const crypt64 = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const bcrypt = (before: string) => (costs: Costs) =>
  `${before}$2b$${String(costs[0]).padStart(2, '0')}$${'a'.repeat(53)}`;
const argon2 =
  (variant: string): Template =>
  ([m, t, p], isLong) =>
    `$argon2${variant}$m=${m},t=${t},p=${p}$${text(isLong, 11, 64)}$${text(isLong, 22, 86)}`;
const django =
  (prf: string, digits: number): Template =>
  ([rounds], isLong) =>
    `pbkdf2_${prf}$${rounds}$${text(isLong, 1, 128)}$${'A'.repeat(digits)}=`;
const phc =
  (prf: string, bytes: number): Template =>
  ([rounds], isLong) =>
    `$pbkdf2-${prf}$i=${rounds},l=${isLong ? 64 : bytes}$${text(isLong, 2, 128)}$${'A'.repeat(Math.ceil(((isLong ? 64 : bytes) * 4) / 3))}`;
const passlib =
  (prf: string, digits: number): Template =>
  ([rounds], isLong) =>
    `$pbkdf2${prf}$${rounds}$${text(isLong, 2, 255)}$${'A'.repeat(digits)}`;
const aspnet: Template = ([prf = 0, rounds = 0], isLong) => {
  const [salt, digest] = isLong ? [64, 64] : [8, 16];
  const head = Buffer.alloc(13);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(prf, 1);
  head.writeUInt32BE(rounds, 5);
  head.writeUInt32BE(salt, 9);
  return Buffer.concat([head, Buffer.alloc(salt + digest, 'x')]).toString('base64');
};

const templates: Readonly<Record<string, readonly Template[]>> = {
  bcrypt: [bcrypt(''), bcrypt('bcrypt$'), bcrypt('bcrypt_sha256$'), bcrypt('$wp')],
  argon2: [argon2('id$v=19'), argon2('i$v=16')],
  scrypt: [([ln, r, p], isLong) => `$scrypt$ln=${ln},r=${r},p=${p}$${text(isLong, 2, 86)}$${text(isLong, 22, 86)}`],
  fbscrypt: [
    ([n, r, p], isLong) =>
      `$fbscrypt$v=1,n=${n},r=${r},p=${p},ss=${isLong ? 'A'.repeat(24) : ''},sk=${key}$${text(isLong, 2, 86)}$${key}`,
  ],
  'Django pbkdf2': [django('sha1', 27), django('sha256', 43)],
  'PHC pbkdf2': [phc('sha1', 16), phc('sha256', 16), phc('sha512', 16)],
  'passlib pbkdf2': [passlib('', 27), passlib('-sha256', 43), passlib('-sha512', 86)],
  'ASP.NET Identity': [aspnet],
  phpass: [([cost = 0]) => `$P$${crypt64[cost]}${'a'.repeat(30)}`],
  'sha2-crypt': [
    ([rounds], isLong) => `$5$rounds=${rounds}$${text(isLong, 1, 16)}$${'a'.repeat(43)}`,
    ([rounds], isLong) => `$6$rounds=${rounds}$${text(isLong, 1, 16)}$${'a'.repeat(86)}`,
  ],
};

/** Every combination of the least and the greatest of each cost. */
const corners = (ranges: readonly (readonly [number, number])[]): number[][] =>
  ranges.reduce<number[][]>((all, range) => all.flatMap((costs) => range.map((cost) => [...costs, cost])), [[]]);

/** Where costs exclude each other, the first one goes on to the nearest that is accepted. */
function accepted(template: Template, costs: Costs, [min, max]: readonly [number, number]): Costs | undefined {
  const [first = 0, ...rest] = costs;
  const step = first === max ? -1 : 1;
  for (let cost = first; cost >= min && cost <= max; cost += step) {
    if (passwordHashProblem(template([cost, ...rest], false)) === undefined) return [cost, ...rest];
  }
  return undefined;
}

for (const { name, read } of formats) {
  test(`each ${name} hash that is accepted can be computed at all its bounds, for somebody and for nobody`, async () => {
    const own = templates[name] ?? assert.fail(`no template for ${name}`);
    for (const template of own) {
      const ranges = read(template([8, 1, 1], false))?.costs.map(({ range }) => range) ?? assert.fail(name);
      const [cheapest, ...dearer] = corners(ranges);
      for (const corner of [cheapest ?? [], ...dearer]) {
        const costs = accepted(template, corner, ranges[0] ?? [0, 0]);
        if (!costs) continue;
        // the shortest salt, digest and password take as much work, so once is enough
        for (const isLong of corner === cheapest ? [false, true] : [true]) {
          const hash = template(costs, isLong);
          assert.equal(passwordHashProblem(hash), undefined, hash);
          assert.equal(await isPasswordOf(hash, Buffer.alloc(isLong ? 100 : 1, isLong ? 'é' : 0)), false, hash);
        }
        const work = workOf(template(costs, false)) ?? assert.fail(name);
        await work.spend(Buffer.from('a password'), Math.min(work.amount, 64));
      }
    }
  });
}
