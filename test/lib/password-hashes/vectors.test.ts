// ci: computes the hashes of other programs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import bcrypt from 'bcrypt';
import { isNewBcryptHash, newBcryptHash } from '../../../src/lib/password-hashes/bcrypt.ts';
import {
  comparedMaxBytes,
  isPasswordOf,
  passwordHashProblem,
  workOf,
} from '../../../src/lib/password-hashes/password-hash.ts';

interface Vector {
  source: string;
  password?: string;
  password_hex?: string;
  hash: string;
}

/** Hashes that other programs have made, each with its source and the password. */
const vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')) as Vector[];
const passwordOf = ({ password, password_hex }: Vector) =>
  password_hex === undefined ? Buffer.from(password ?? '') : Buffer.from(password_hex, 'hex');

/** bcrypt without a digest before it, where only the first 72 bytes count. */
const isPlainBcrypt = (hash: string) => /^(bcrypt\$)?\$2[aby]\$/.test(hash);

for (const source of new Set(vectors.map((vector) => vector.source))) {
  test(`hashes of ${source} fit their passwords and no other one`, async () => {
    for (const vector of vectors.filter((one) => one.source === source)) {
      const password = passwordOf(vector);
      assert.equal(passwordHashProblem(vector.hash), undefined, vector.hash);
      assert.equal(await isPasswordOf(vector.hash, password), true, vector.hash);
      const counted = isPlainBcrypt(vector.hash) ? password.subarray(0, 72) : password;
      const shorter = counted.subarray(0, -1);
      assert.equal(await isPasswordOf(vector.hash, shorter), false, `${vector.hash} with one byte less`);
      const changed = Buffer.from(counted);
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      assert.equal(await isPasswordOf(vector.hash, changed), false, `${vector.hash} with another last byte`);
    }
  });
}

test('every byte of a digest counts', async () => {
  for (const vector of vectors) {
    const last = vector.hash.replace(/=*$/, '').length - 1;
    // not the last character of a digest: some of its bits mean nothing
    const at = last - 1;
    const other = vector.hash[at] === 'A' ? 'B' : 'A';
    const changed = `${vector.hash.slice(0, at)}${other}${vector.hash.slice(at + 1)}`;
    assert.equal(passwordHashProblem(changed), undefined, changed);
    assert.equal(await isPasswordOf(changed, passwordOf(vector)), false, changed);
  }
});

test('what a comparison costs is known from the part of the hash before its salt', () => {
  const families = new Map(vectors.map(({ hash }) => [hash, workOf(hash)]));
  assert.ok([...families.values()].every((work) => work !== undefined));
  for (const [beginning, family, amount] of [
    ['$2a$12$', 'bcrypt', 4096],
    ['bcrypt_sha256$$2b$04$', 'bcrypt', 16],
    ['$wp$2y$10$', 'bcrypt', 1024],
    ['$argon2id$v=19$m=65536,t=3,p=4$', 'argon2 m=65536,t=3', 1],
    ['argon2$argon2id$v=19$m=102400,t=2,p=8$', 'argon2 m=102400,t=2', 1],
    ['$scrypt$ln=15,r=8,p=1$', 'scrypt ln=15,r=8,p=1', 1],
    ['$fbscrypt$v=1,n=14,r=8,p=1,', 'scrypt ln=14,r=8,p=1', 1],
    ['pbkdf2_sha256$600000$', 'pbkdf2-sha256', 600_000],
    ['pbkdf2_sha1$600000$', 'pbkdf2-sha1', 600_000],
    ['$pbkdf2-sha256$i=27500,l=64$', 'pbkdf2-sha256', 55_000],
    ['$pbkdf2-sha512$25000$', 'pbkdf2-sha512', 25_000],
    ['$pbkdf2$25000$', 'pbkdf2-sha1', 25_000],
    ['AQAAAAIAAYag', 'pbkdf2-sha512', 100_000],
    ['$P$B', 'phpass', 8192],
    ['$5$', 'sha256-crypt', 5000],
    ['$6$rounds=656000$', 'sha512-crypt', 656_000],
  ] as const) {
    const work = workOf(beginning);
    assert.deepEqual([work?.family, work?.amount], [family, amount], beginning);
  }
  assert.equal(workOf('$argon2id$v=19$m=262145,t=1,p=1$'), undefined);
  assert.equal(workOf('?'), undefined);
  assert.equal(workOf('$argon2id$v=19$m=65536,t=3,p=4$')?.memory, 64 * 1024 ** 2);
  assert.equal(workOf('$scrypt$ln=17,r=8,p=1$')?.memory, 128 * 8 * (2 ** 17 + 1));
});

test('a plain bcrypt hash of more than 72 bytes fits as it did there; the new hash counts every byte', async () => {
  const password = 'p'.repeat(99);
  const other = `${'p'.repeat(72)}q${'p'.repeat(26)}`;
  const foreign = await bcrypt.hash(password, 4);
  assert.equal(await isPasswordOf(foreign, Buffer.from(password)), true);
  assert.equal(await isPasswordOf(foreign, Buffer.from(other)), true);
  assert.equal(isNewBcryptHash(foreign, password, 4), false);
  const renewed = await newBcryptHash(password, 4);
  assert.match(renewed, /^bcrypt_sha256\$\$2b\$04\$/);
  assert.equal(isNewBcryptHash(renewed, password, 4), true);
  assert.equal(await isPasswordOf(renewed, Buffer.from(password)), true);
  assert.equal(await isPasswordOf(renewed, Buffer.from(other)), false);
});

test('what is shorter than 72 bytes gets a plain bcrypt hash, but not with NUL inside, and every byte counts', async () => {
  for (const password of ['🔑'.repeat(18), '🔑'.repeat(17), 'short', 'x\0x', '']) {
    const hash = await newBcryptHash(password, 4);
    assert.match(hash, /\0|🔑{18}/u.test(password) ? /^bcrypt_sha256\$\$2b\$04\$/ : /^\$2b\$04\$/);
    assert.equal(isNewBcryptHash(hash, password, 4), true);
    assert.equal(await isPasswordOf(hash, Buffer.from(password)), true);
    const bytes = Buffer.from(password);
    for (const wrong of [bytes.subarray(0, -1), Buffer.from('x'), Buffer.from('x\0x\0x')]) {
      if (!wrong.equals(bytes)) assert.equal(await isPasswordOf(hash, wrong), false);
    }
  }
});

test('a NUL inside a password cuts it in no format', async () => {
  for (const vector of vectors.filter(({ hash }) => !/rounds=\d{5}|AQAAAAEAA9|\$n=14/.test(hash))) {
    const withNul = Buffer.concat([passwordOf(vector).subarray(0, 71), Buffer.from('\0y')]);
    assert.equal(await isPasswordOf(vector.hash, withNul), false, vector.hash);
  }
});

test('a password of more than 512 bytes is compared with nothing', async () => {
  const hash = await bcrypt.hash('p'.repeat(72), 4);
  assert.equal(await isPasswordOf(hash, Buffer.alloc(comparedMaxBytes, 'p')), true);
  assert.equal(await isPasswordOf(hash, Buffer.alloc(comparedMaxBytes + 1, 'p')), false);
});

test('the functions that no thread pool computes leave the process its turns, several at once too', async () => {
  const hash = vectors.find(({ hash }) => hash.startsWith('$6$rounds=1234$'))?.hash.replace('1234', '100000') ?? '';
  assert.equal(passwordHashProblem(hash), undefined);
  // of this process: independent of what else the machine does
  const worked = () => process.cpuUsage().user / 1000;
  let [longest, last, isOver] = [0, worked(), false];
  const look = () => {
    longest = Math.max(longest, worked() - last);
    last = worked();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const start = worked();
  await Promise.all(Array.from({ length: 3 }, () => isPasswordOf(hash, Buffer.from('a password'))));
  isOver = true;
  const took = worked() - start;
  // without slices it would be a third of all
  assert.ok(longest < took / 6, `${longest} of ${took} ms`);
});
