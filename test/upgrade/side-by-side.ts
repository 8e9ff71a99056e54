import assert from 'node:assert/strict';
import { cpSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/postgres/database.ts';
import { listFunctions } from '../../src/postgres/sql-functions.ts';
import { startBalancer } from '../support/balancer.ts';
import type { Browser } from '../support/browser.ts';
import { createDatabase } from '../support/database.ts';
import {
  authorizationQuery,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../support/flow.ts';
import { password, registerPeople } from '../support/latchkey.ts';
import { buildPreviousRelease } from '../support/previous-release.ts';
import { type LatchkeyProcess, program, seed, startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { codeOf, setUpApp } from '../support/second-factor.ts';

// The previous release and this one on one database, behind one address. The tests go on from each other: the database was made
// by the previous release, and is upgraded in the first test.

const balancer = await startBalancer();
const { origin } = balancer;
const DATABASE_URL = await createDatabase({ migrated: false });
const environment = { DATABASE_URL, ISSUER: origin, SEED_FILE: writeFile('people.sql', seed) };
const database = openDatabase({ connectionString: DATABASE_URL }, 4);
after(() => database.end());
const previousMain = await buildPreviousRelease(scratch);
const nextMain = buildWithMigration('999_side_by_side.sql', 'alter table clients add column side_by_side text;');
const previous = await startServing(environment, [], previousMain);
let current: LatchkeyProcess;
balancer.use(previous.origin);
const browser = await signedInBrowser(origin);

/** This version with one more migration, so that there is one also while the schema is that of the previous release. */
function buildWithMigration(name: string, sql: string): string {
  const home = join(scratch, 'next');
  cpSync(dirname(dirname(program)), home, { recursive: true, verbatimSymlinks: true });
  unlinkSync(join(home, 'migrations'));
  cpSync('migrations', join(home, 'migrations'), { recursive: true });
  writeFileSync(join(home, 'migrations', name), sql);
  return join(home, 'src', 'main.js');
}

/** From the code to the revocation; every answer is as if there were one server. */
async function wholeFlow(): Promise<void> {
  const { body: first } = await accepted(redeem(origin, await obtainCode(browser)));
  await accepted(getUser(origin, first['access_token']));
  const { body: second } = await accepted(refresh(origin, first['refresh_token']));
  const { body: repeated } = await accepted(refresh(origin, first['refresh_token']));
  assert.deepEqual(
    [repeated['access_token'], repeated['refresh_token']],
    [second['access_token'], second['refresh_token']],
  );
  const { body: introspected } = await accepted(
    post(`${origin}/introspect`, { token: String(second['access_token']) }),
  );
  assert.equal(introspected['active'], true);
  await accepted(post(`${origin}/revoke`, { token: String(second['refresh_token']) }));
  assert.equal((await getUser(origin, second['access_token'])).status, 401);
}

async function accepted<T extends { status: number; body: unknown }>(answer: Promise<T>): Promise<T> {
  const found = await answer;
  assert.equal(found.status, 200, JSON.stringify(found.body));
  return found;
}

/** Whole flows, two at a time, until the work is done. */
async function underTraffic<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => {
    isDone = true;
  });
  const traffic = async () => {
    do await wholeFlow();
    while (!isDone);
  };
  const [result] = await Promise.all([settled, traffic(), traffic()]);
  return result;
}

test('requests are served while this version starts and migrates the database beside the previous one [F38]', async () => {
  current = await underTraffic(startServing(environment, [], nextMain));
  assert.match(current.output(), /Applied \d+ migrations? \(/);
});

test('behind a balancer they serve every flow, whichever gets the next request [F38]', async () => {
  balancer.use(previous.origin, current.origin);
  await Promise.all(Array.from({ length: 3 }, () => wholeFlow()));
  // an odd number of requests between two flows gives each step to the other version
  await fetch(`${origin}/healthz`);
  await wholeFlow();
});

for (const direction of ['previous to current', 'current to previous']) {
  test(`sessions, codes, tokens and repeated refreshes pass from ${direction} [F38]`, async () => {
    const versions = [previous.origin, current.origin];
    const [one = '', other = ''] = direction.startsWith('previous') ? versions : versions.reverse();
    const at = <T>(instance: string, work: () => Promise<T>) => {
      balancer.use(instance);
      return work();
    };
    const visitor = await at(one, () => signedInBrowser(origin));
    const code = await at(other, () => obtainCode(visitor));
    const { body } = await at(one, () => accepted(redeem(origin, code)));
    await at(other, () => accepted(getUser(origin, body['access_token'])));
    const refreshed = await at(other, () => accepted(refresh(origin, body['refresh_token'])));
    const repeated = await at(one, () => accepted(refresh(origin, body['refresh_token'])));
    assert.equal(repeated.body['refresh_token'], refreshed.body['refresh_token']);
    // used before its successor: the family ends, at both
    await at(other, () => accepted(refresh(origin, refreshed.body['refresh_token'])));
    assert.equal((await at(one, () => refresh(origin, body['refresh_token']))).body['error'], 'invalid_grant');
    assert.equal((await at(other, () => getUser(origin, refreshed.body['access_token']))).status, 401);
  });
}

test('an account that this version deletes is gone for the previous one: sessions, tokens, sign-in; and it cannot bring it back [F38]', async () => {
  await registerPeople(database, ['leaving']);
  balancer.use(previous.origin);
  const leaving = await signedInBrowser(origin, 'leaving');
  const { body } = await accepted(redeem(origin, await obtainCode(leaving)));
  balancer.use(current.origin);
  const answer = await leaving.submit(await leaving.visit('/account/delete'), 'class="danger"', { password });
  assert.match(answer.text, /Your account (is|has been) deleted/);
  balancer.use(previous.origin);
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  assert.match((await leaving.open('/account')).location ?? '', /^\/login/);
  const again = await leaving.submit(await leaving.visit('/login'), 'id="login"', { username: 'leaving', password });
  assert.equal(again.status, 401);
  // what its command `user enable` does, if it had a name
  const enable = 'update users set disabled_at = null where deleted_at is not null';
  await assert.rejects(database.query(enable), /users_deleted_are_empty/);
});

test('somebody who has set up a second factor here gets no session from the previous version, which would not ask for it [F59]', async () => {
  await registerPeople(database, ['careful']);
  balancer.use(current.origin);
  const careful = await signedInBrowser(origin, 'careful');
  const { secret } = await setUpApp(careful);
  balancer.use(previous.origin);
  const elsewhere = await signedInBrowser(origin, 'careful');
  assert.match((await elsewhere.open('/account')).location ?? '', /^\/login/);
  balancer.use(current.origin);
  const typed = { username: 'careful', password };
  const half = await elsewhere.submit(await elsewhere.visit('/login?to=/account'), 'id="login"', typed);
  await elsewhere.submit(half, 'id="verify"', { code: codeOf(secret) });
  assert.equal((await elsewhere.open('/account')).status, 200);
});

test('the previous version never gives a scope for which people choose as if they had chosen all, nor makes this one do so [F72]', async () => {
  const at = <T>(instance: LatchkeyProcess, work: () => Promise<T>) => {
    balancer.use(instance.origin);
    return work();
  };
  const remembered = () => new Promise((resolve) => setTimeout(resolve, 1100));
  const introspect = async (token: unknown) =>
    (await accepted(post(`${origin}/introspect`, { token: String(token) }))).body;
  await registerPeople(database, ['choosing']);
  const person = await at(previous, () => signedInBrowser(origin, 'choosing'));
  const unbound = (await at(previous, async () => accepted(redeem(origin, await obtainCode(person))))).body;
  assert.equal(unbound['scope'], 'user');
  const early = await at(previous, () => consentPage(person));
  await database.query(
    `select register_choice('mine', '{user:email}', 'Which?', $$ select $1 || '-' || n as value, 'N' || n as label from generate_series(1, 2) n $$)`,
  );
  await remembered();
  for (const instance of [previous, current]) {
    assert.equal((await at(instance, () => introspect(unbound['access_token'])))['scope'], 'user:name');
  }
  const narrowed = (await at(previous, () => accepted(refresh(origin, unbound['refresh_token'])))).body;
  assert.equal(narrowed['scope'], 'user:name');

  let codes = 0;
  for (const [begun, finished] of [
    [undefined, current],
    [current, previous],
    [previous, current],
    [previous, previous],
  ] as const) {
    const page = begun ? await at(begun, () => consentPage(person)) : early;
    const answer = await at(finished, () => person.submit(page, 'id="allow"'));
    const code = new URL(answer.location ?? origin, origin).searchParams.get('code');
    if (code === null) continue;
    codes += 1;
    const { body } = await at(current, () => accepted(redeem(origin, code)));
    assert.equal(body['scope'], 'user:name');
    assert.equal((await at(previous, () => introspect(body['access_token'])))['scope'], 'user:name');
  }
  assert.ok(codes > 0, 'no consent that began before led to a code');

  const chosen = { 'choice.mine': await subjectAndNumber() };
  const choose = async () => codeIn(await person.submit(await consentPage(person), 'id="allow"', chosen));
  const bound = await at(current, async () => (await accepted(redeem(origin, await choose()))).body);
  assert.equal(bound['scope'], 'user');
  assert.ok(bound['authorization_details']);
  assert.equal((await at(previous, () => introspect(bound['access_token'])))['scope'], 'user:name');
  assert.equal((await at(previous, () => getUser(origin, bound['access_token']))).body['email'], undefined);
  const refreshed = await at(previous, () => accepted(refresh(origin, bound['refresh_token'])));
  assert.equal(refreshed.body['scope'], 'user:name');
  assert.equal((await at(current, () => introspect(refreshed.body['access_token'])))['scope'], 'user:name');
  const again = await at(current, () => accepted(refresh(origin, refreshed.body['refresh_token'])));
  assert.deepEqual(again.body['authorization_details'], bound['authorization_details']);
  const code = await at(current, choose);
  const exchanged = (await at(previous, () => accepted(redeem(origin, code)))).body;
  assert.equal(exchanged['scope'], 'user:name');
  assert.equal((await at(current, () => introspect(exchanged['access_token'])))['scope'], 'user:name');
  await database.query('delete from choices');
  await remembered();
});

const consentPage = (person: Browser) => person.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);

async function subjectAndNumber(): Promise<string> {
  const { rows } = await database.query(`select user_id || '-1' as value from users where username = 'choosing'`);
  return rows[0].value;
}

test('back to the previous version: it starts on the newer schema, says so, and serves everything issued meanwhile [F38]', async () => {
  balancer.use(current.origin);
  const { body } = await accepted(redeem(origin, await obtainCode(browser)));
  await previous.kill();
  const back = await startServing(environment, [], previousMain);
  assert.match(back.output(), /migrated by a newer version/);
  balancer.use(back.origin);
  await underTraffic(current.kill());
  await accepted(getUser(origin, body['access_token']));
  await accepted(refresh(origin, body['refresh_token']));
  await wholeFlow();
});

test('on a database that this version has made, the previous one starts and serves, and this one again [F38]', async () => {
  const url = await createDatabase({ migrated: false });
  const own = { ...environment, DATABASE_URL: url };
  for (const main of [nextMain, previousMain, nextMain]) {
    const server = await startServing(own, [], main);
    balancer.use(server.origin);
    const person = await signedInBrowser(origin);
    const { body } = await accepted(redeem(origin, await obtainCode(person)));
    await accepted(refresh(origin, body['refresh_token']));
    await server.kill();
  }
});

test('each function that was changed since the previous release has its earlier text in the list of them', async () => {
  const folder = (main: string) => join(dirname(dirname(main)), 'migrations');
  const [earlier, today] = [await listFunctions(folder(previousMain)), await listFunctions(folder(nextMain))];
  for (const { name, sha256 } of earlier) {
    const function_ = today.find((one) => one.name === name);
    if (function_) assert.ok([function_.sha256, ...function_.earlier].includes(sha256), name);
  }
});
