import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import bcrypt from 'bcrypt';
import { isPasswordOf, workOf } from '../../src/lib/password-hashes/password-hash.ts';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser } from '../support/browser.ts';
import { cheapHash, registerUser, startLatchkey } from '../support/latchkey.ts';

const { origin, database, logged, url } = await startLatchkey();
const forgetAttempts = () => database.query('delete from attempts');

const vectors = JSON.parse(readFileSync(new URL('../lib/password-hashes/vectors.json', import.meta.url), 'utf8')) as {
  source: string;
  password?: string;
  hash: string;
}[];

async function signIn(username: string, password: string, at = origin): Promise<number> {
  await forgetAttempts();
  const browser = new Browser(at);
  const page = await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  return page.status;
}

const hashOf = async (username: string): Promise<string> =>
  (
    await database.query('select coalesce(password_hash, password_bcrypt) as hash from users where username = $1', [
      username,
    ])
  ).rows[0].hash;

/** As no door of this server would store it. */
async function storeBySql(username: string, password_hash: string): Promise<void> {
  await database.query('insert into users (username, password_hash) values ($1, $2)', [username, password_hash]);
}

test('people of every other program sign in by their old passwords, with another one they do not, and then have a hash of ours', async () => {
  let tried = 0;
  for (const { password, hash, source } of vectors) {
    if (password === undefined) continue;
    tried += 1;
    const username = `person-${tried}`;
    const { rows } = await database.query('select register_user(username => $1, password_hash => $2) as id', [
      username,
      hash,
    ]);
    assert.ok(rows[0].id > 0);
    const stored = await hashOf(username);
    assert.equal(await signIn(username, `x${password}`), 401, `${source} ${hash}`);
    assert.equal(await hashOf(username), stored);
    assert.notEqual(await signIn(username, password), 401, `${source} ${hash}`);
    const renewed = await hashOf(username);
    assert.match(renewed, /^(bcrypt_sha256\$)?\$2[aby]\$04\$/, hash);
    assert.notEqual(await signIn(username, password), 401, `${source} ${hash}`);
    assert.equal(await hashOf(username), renewed);
    assert.equal(await signIn(username, `x${password}`), 401, `${source} ${hash}`);
  }
  assert.ok(tried > 50, `${tried}`);
});

test('after the first sign-in every byte of a long password counts, also where only 72 counted before', async () => {
  const password = 'correct horse battery staple '.repeat(4);
  const wrong = `${password.slice(0, 72)}X${password.slice(73)}`;
  const hash = await bcrypt.hash(password, 5);
  await registerUser(database, { username: 'long', password: hash });
  assert.notEqual(await signIn('long', password), 401);
  assert.match(await hashOf('long'), /^bcrypt_sha256\$\$2b\$04\$/);
  assert.equal(await signIn('long', wrong), 401);
  assert.equal(await signIn('long', password.slice(0, 72)), 401);
  assert.notEqual(await signIn('long', password), 401);
});

test('a password of exactly 72 bytes that was set here is no other one with something behind it, and stays right', async () => {
  const password = 'p'.repeat(72);
  await registerUser(database, { username: 'edge', password: cheapHash });
  await database.query("update users set password_bcrypt = $1 where username = 'edge'", [
    await bcrypt.hash(password, 4),
  ]);
  for (const longer of [`${password}x`, password.repeat(2)]) {
    assert.notEqual(await signIn('edge', password), 401);
    assert.equal(await signIn('edge', longer), 401);
  }
  assert.notEqual(await signIn('edge', password), 401);
});

test('an old password that is shorter than ours must be signs in', async () => {
  await registerUser(database, { username: 'short', password: await bcrypt.hash('four', 4) });
  assert.notEqual(await signIn('short', 'four'), 401);
});

test('a hash that is too dear, hollow or of no format, put into its column by SQL, is refused as an unknown name is, and logged once', async () => {
  const bombs = [
    `$argon2id$v=19$m=4194304,t=1,p=1$c2FsdHNhbHQ$${'A'.repeat(43)}`,
    `pbkdf2_sha256$2147483648$salt$${'A'.repeat(43)}=`,
    `$scrypt$ln=24,r=8,p=1$c2FsdA$${'A'.repeat(43)}`,
    `$6$rounds=999999999$salt$${'a'.repeat(86)}`,
    `$P$S${'a'.repeat(30)}`,
    'pbkdf2_sha256$600000$salt$',
    'pbkdf2_sha256$600000$salt$AA==',
    '$6$salt$',
    '$2b$12$iejSGpZkVCNPxDQ7a107se',
    'plain text',
  ];
  for (const [at, bomb] of bombs.entries()) {
    await storeBySql(`bomb-${at}`, bomb);
    logged.length = 0;
    const start = process.cpuUsage();
    assert.equal(await signIn(`bomb-${at}`, 'a password'), 401, bomb);
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 3_000_000, bomb);
    const lines = logged.filter((line) => line.includes('a stored password hash is not compared'));
    assert.equal(lines.length, 1, bomb);
    assert.doesNotMatch(lines[0] ?? '', /"problem":"[^"]*AAAA|a password/);
  }
  logged.length = 0;
  assert.equal(await signIn('nobody', 'a password'), 401);
  assert.ok(!logged.some((line) => line.includes('is not compared')));
});

test('a scrypt hash that RFC 7914 does not define is accepted by no door, and harms nobody where SQL has put it', async () => {
  const { origin, database } = await startLatchkey();
  await lengthenWaits(database);
  const hash = `$scrypt$ln=16,r=1,p=1$c2FsdHNhbHRzYWx0$${'A'.repeat(43)}`;
  await assert.rejects(
    database.query('select register_user(username => $1, password_hash => $2)', ['undefined', hash]),
    /ln is not less than 16 · r/,
  );
  await database.query(`insert into users (username, password_hash) values ('undefined', $1)`, [hash]);
  await registerUser(database, { username: 'beside', password: cheapHash });
  for (const username of ['undefined', 'beside', 'nobody at all']) {
    const browser = new Browser(origin);
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      const form = { username, password: `guess ${guess}` };
      statuses.push((await browser.submit(await browser.visit('/login'), 'id="login"', form)).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429], username);
  }
});

test('a digest of one byte is never a match, whatever is tried', async () => {
  const hollow = 'pbkdf2_sha256$1$salt$AA==';
  for (let guess = 0; guess < 300; guess += 1) {
    assert.equal(await isPasswordOf(hollow, Buffer.from(`guess ${guess}`)), false);
  }
});

test('a renewal never replaces a password that was changed while the old one was compared', async () => {
  const slow = await startLatchkey({}, url);
  const { verify } = slow.deps.passwords;
  const changed = await bcrypt.hash('changed meanwhile', 4);
  await database.query('select register_user(username => $1, password_hash => $2)', [
    'racer',
    vectors.find(({ hash }) => hash.startsWith('pbkdf2_sha256$6000$seasalt$EJX'))?.hash,
  ]);
  Object.assign(slow.deps.passwords, {
    verify: async (...attempt: Parameters<typeof verify>) => {
      const verdict = await verify(...attempt);
      assert.ok(verdict.renewed);
      await database.query("update users set password_bcrypt = $1, password_hash = null where username = 'racer'", [
        changed,
      ]);
      return verdict;
    },
  });
  await signIn('racer', 'x', slow.origin);
  assert.equal(await hashOf('racer'), changed);
});

test('which kinds are in use is known within a minute, from the index, and not asked for at each sign-in [A433]', async () => {
  const asked: string[] = [];
  const other = await startLatchkey({}, url);
  const { query } = other.database;
  other.database.query = ((statement: { name?: string }, ...rest: unknown[]) => {
    if (statement.name === 'list_password_kinds') asked.push(statement.name);
    return Reflect.apply(query, other.database, [statement, ...rest]);
  }) as typeof query;
  for (let time = 0; time < 3; time += 1) await signIn('nobody', 'a password', other.origin);
  assert.equal(asked.length, 1);
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

const readOf = (plan: Plan): number =>
  (plan['Relation Name'] === 'users' ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, part) => sum + readOf(part), 0);

test('to know the kinds costs a row of each kind, however many people have it', async () => {
  const hash = `pbkdf2_sha256$870000$salt$${'A'.repeat(43)}=`;
  await database.query(
    `insert into users (username, password_hash) select 'many-' || n, $1 from generate_series(1, 5000) n`,
    [hash],
  );
  await database.query('analyze users');
  const file = new URL('../postgres/statements/list_password_kinds.sql', import.meta.url);
  const { rows } = await database.query(`explain (analyze, format json) ${readFileSync(file, 'utf8')}`);
  const read = readOf(rows[0]['QUERY PLAN'][0].Plan);
  assert.ok(read > 0 && read <= 50, `${read} rows`);
  await database.query("delete from users where username like 'many-%'");
});

test('every kind of the index is read as the hashes that begin so', async () => {
  for (const { hash } of vectors) {
    const { rows } = await database.query('select beginning_of_hash($1) as kind', [hash]);
    const [own, ofKind] = [workOf(hash), workOf(rows[0].kind)];
    assert.ok(own && ofKind, hash);
    assert.equal(ofKind.family, own.family, hash);
    // of ASP.NET the beginning does not tell the length of the digest; the usual one is assumed
    if (!hash.startsWith('AQAAAA')) assert.equal(ofKind.amount, own.amount, hash);
    assert.ok(hash.startsWith(rows[0].kind));
  }
});
