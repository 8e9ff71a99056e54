// ci: computes the dearest hash of every kind
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createHashingQueue } from '../../../src/identity/hashing-queue.ts';
import { createPasswords } from '../../../src/identity/password-hashing.ts';
import { newBcryptHash } from '../../../src/lib/password-hashes/bcrypt.ts';
import type { HashFormat } from '../../../src/lib/password-hashes/hash-format.ts';
import { formats, workOf } from '../../../src/lib/password-hashes/password-hash.ts';
import { dearestOfEach, remaining } from '../../../src/lib/password-hashes/work.ts';

const asker = { isKnown: true, prefix: '' };
const stored = (password_hash: string | null) => ({ password_hash, highest_cost: null });
const vectors = (JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')) as { hash: string }[]).map(
  ({ hash }) => hash,
);

/** One hash of each family that is dear enough to measure, and a cheap one of the same family where there is one. */
const salt = 'c2FsdHNhbHRzYWx0';
const digest = 'A'.repeat(43);
const measured = {
  bcrypt: await newBcryptHash('somebody', 10),
  'cheap bcrypt': await newBcryptHash('somebody', 5),
  argon2: `$argon2id$v=19$m=32768,t=2,p=1$${salt}$${digest}`,
  scrypt: `$scrypt$ln=14,r=8,p=1$${salt}$${digest}`,
  pbkdf2: `pbkdf2_sha256$200000$salt$${digest}=`,
  'cheap pbkdf2': `pbkdf2_sha256$1000$salt$${digest}=`,
  phpass: `$P$E${'a'.repeat(30)}`,
  'cheap phpass': `$P$5${'a'.repeat(30)}`,
  'sha2-crypt': `$6$rounds=60000$salt$${'a'.repeat(86)}`,
  unusable: '$2b$31$iejSGpZkVCNPxDQ7a107sepAgdqyd10g/owQ9Uwq2Z7nIFE8/Pgoi',
};

test('for every hash and for an unknown name the same amount is done in each family', () => {
  const all = dearestOfEach([...vectors, ...Object.values(measured)].flatMap((hash) => workOf(hash) ?? []));
  assert.ok(all.length > 10);
  const expected = new Map(all.map(({ family, amount }) => [family, amount]));
  for (const hash of [undefined, ...vectors]) {
    const own = hash === undefined ? undefined : workOf(hash);
    const done = new Map(remaining(all, own).map(({ family, amount }) => [family, amount]));
    if (own) done.set(own.family, (done.get(own.family) ?? 0) + own.amount);
    assert.deepEqual(new Map([...done].sort()), new Map([...expected].sort()), hash);
  }
});

test('when nobody has another hash than ours, a wrong password costs one of ours', () => {
  const ours = workOf('$2b$12$');
  assert.ok(ours);
  assert.deepEqual(
    remaining(dearestOfEach([ours]), undefined).map(({ family, amount }) => [family, amount]),
    [['bcrypt', 4096]],
  );
  assert.deepEqual(remaining(dearestOfEach([ours]), ours), []);
});

test('measured, a wrong password takes the work of an unknown name at every kind of hash [A433]', async () => {
  const passwords = createPasswords(createHashingQueue(1), 8);
  const kinds = Object.values(measured);
  const workFor = async (password_hash: string | null) => {
    const before = process.cpuUsage();
    const { isRight } = await passwords.verify('a wrong password', stored(password_hash), kinds, asker);
    assert.equal(isRight, false);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  // compiles what the first call would
  await workFor(null);
  const works = new Map<string, number[]>();
  for (let round = 0; round < 5; round += 1) {
    for (const [name, hash] of [['unknown', null] as const, ...Object.entries(measured)]) {
      works.set(name, [...(works.get(name) ?? []), await workFor(hash)]);
    }
  }
  const medians = new Map([...works].map(([name, list]) => [name, list.sort((a, b) => a - b)[2] ?? 0]));
  const [least, most] = [Math.min(...medians.values()), Math.max(...medians.values())];
  // without what is filled up, the cheapest would take a tenth of the dearest
  assert.ok(most < least * 1.4, JSON.stringify([...medians]));
});

test('a right password costs its own comparison, and a new hash if it is another program’s', async () => {
  const passwords = createPasswords(createHashingQueue(1), 4);
  const dear = [`$6$rounds=1000000$salt$${'a'.repeat(86)}`];
  const start = process.cpuUsage();
  const ours = await newBcryptHash('wonderland', 4);
  assert.deepEqual(await passwords.verify('wonderland', stored(ours), dear, asker), {
    isRight: true,
  });
  const theirs = vectors.find((hash) => hash.startsWith('pbkdf2_sha256$6000$seasalt$EJX')) ?? '';
  const { isRight, renewed = '' } = await passwords.verify('x', stored(theirs), dear, asker);
  assert.equal(isRight, true);
  assert.match(renewed, /^\$2b\$04\$/);
  const again = await passwords.verify('x', stored(renewed), dear, asker);
  assert.deepEqual(again, { isRight: true });
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 1_000_000, `${user + system} µs`);
});

test('nothing is filled up for an asker who has hung up', async () => {
  const passwords = createPasswords(createHashingQueue(1), 4);
  const kinds = Array.from({ length: 20 }, (_, at) => `$argon2id$v=19$m=${16_384 + at},t=1,p=1$`);
  const timeOf = async (gone?: AbortSignal) => {
    const start = performance.now();
    const verdict = await passwords.verify('a password', stored(null), kinds, { ...asker, ...(gone && { gone }) });
    assert.deepEqual(verdict, { isRight: false });
    return performance.now() - start;
  };
  const whole = await timeOf();
  const hangUp = new AbortController();
  setImmediate(() => hangUp.abort());
  const rest = await timeOf(hangUp.signal);
  assert.ok(rest < whole / 3, `${rest} of ${whole} ms`);
});

test('a password with accents fits in both of its spellings, and no third one', async () => {
  const passwords = createPasswords(createHashingQueue(1), 4);
  const [composed, decomposed] = ['café öde'.normalize('NFC'), 'café öde'.normalize('NFD')];
  for (const [set, typed] of [
    [composed, decomposed],
    [decomposed, composed],
    [composed, composed],
    [decomposed, decomposed],
  ] as const) {
    const password_hash = await newBcryptHash(set, 4);
    assert.equal((await passwords.verify(typed, stored(password_hash), [], asker)).isRight, true);
  }
  const password_hash = await newBcryptHash('cafe ode', 4);
  assert.equal((await passwords.verify(composed, stored(password_hash), [], asker)).isRight, false);
});

test('many dear checks at once stay within the memory for them', async () => {
  const passwords = createPasswords(createHashingQueue(8, 60_000), 4);
  const password_hash = `$argon2id$v=19$m=131072,t=1,p=1$${salt}$${digest}`;
  const verify = () => passwords.verify('a password', stored(password_hash), [password_hash], asker);
  await verify();
  const idle = process.memoryUsage.rss();
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  await Promise.all(Array.from({ length: 12 }, verify));
  clearInterval(looking);
  const MiB = 2 ** 20;
  // all slots together would need a gigabyte, the threads of the pool half of one
  assert.ok(most - idle > 100 * MiB && most - idle < 300 * MiB, `${(most - idle) / MiB} MiB`);
});

/** A hash that passes every check and cannot be computed. */
const broken = '$broken$1$';

test('a computation that fails is a wrong password, for its account and for an unknown name', async () => {
  const fails = () => Promise.reject(new Error('cannot be computed'));
  const digest = { expected: Buffer.alloc(1), derive: fails };
  const work = () => ({ family: 'broken', amount: 1, memory: 0, spend: fails });
  const format = {
    name: 'broken',
    read: (text: string) => (text.startsWith('$broken$') ? { costs: [], work, digest } : undefined),
  };
  const known = formats as HashFormat[];
  known.push(format);
  try {
    const passwords = createPasswords(createHashingQueue(1), 4);
    for (const password_hash of [broken, null, await newBcryptHash('another', 4)]) {
      const { isRight, problem } = await passwords.verify('a guess', stored(password_hash), [broken], asker);
      assert.deepEqual({ isRight, problem }, { isRight: false, problem: 'Error: cannot be computed' });
    }
    const right = await newBcryptHash('a password', 4);
    assert.equal((await passwords.verify('a password', stored(right), [broken], asker)).isRight, true);
  } finally {
    known.splice(known.indexOf(format), 1);
  }
});
