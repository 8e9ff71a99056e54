// ci: thousands of attempts, counted by the database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countAttempt, returnAttempt } from '../../src/identity/attempt-limits.sql.ts';
import { createHashingQueue } from '../../src/identity/hashing-queue.ts';
import { createPasswords } from '../../src/identity/password-hashing.ts';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { cheapHash, password, registerPeople, registerUser, startLatchkey } from '../support/latchkey.ts';

const { origin, database } = await startLatchkey({ TRUST_PROXY: '1' });
await registerPeople(database, ['alice', 'bob', 'carol', 'dave', 'erin']);
await lengthenWaits(database);
const forgetAttempts = () => database.query('delete from attempts');
/** One attempt, from this address; a password that no account can have costs no hash. */
async function attempt(browser: Browser, username: string, word = 'x'.repeat(73), from = '192.0.2.1'): Promise<number> {
  const [path, init] = formRequest(await browser.visit('/login'), 'id="login"', { username, password: word });
  const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': from };
  return (await browser.open(path, { ...init, headers })).status;
}

async function statuses(count: number, one: (index: number) => Promise<number>): Promise<number[]> {
  const all = [];
  for (let index = 0; index < count; index += 1) all.push(await one(index));
  return all;
}

/** A browser in which this person has signed in before, and is signed out. */
async function usedBefore(username: string, browser = new Browser(origin)): Promise<Browser> {
  assert.equal(await attempt(browser, username, password, '198.51.100.7'), 302);
  await browser.submit(await browser.visit('/'), 'action="/logout"');
  return browser;
}

test('a blocked address leaves one audit event and no further limit rows, whatever usernames it tries', async () => {
  await forgetAttempts();
  const stranger = new Browser(origin);
  await statuses(51, (index) => attempt(stranger, `name-${index}`));
  const trace = async () => {
    const { rows } = await database.query(
      `select (select count(*)::integer from attempts) as limits,
         (select count(*)::integer from audit_events where event = 'sign_in_delayed') as delays,
         (select count(*)::integer from audit_events) as events`,
    );
    return rows[0];
  };
  const before = await trace();
  assert.deepEqual(new Set(await statuses(30, (index) => attempt(stranger, `other-${index}`))), new Set([429]));
  const after = await trace();
  assert.deepEqual(after, before);
  assert.equal(after.delays, 1);
});

test('right passwords during a wait do not prolong it', async () => {
  await forgetAttempts();
  const stranger = new Browser(origin);
  await statuses(25, (index) => attempt(stranger, 'alice', undefined, `192.0.2.${index}`));
  const alice = new Browser(origin);
  const tries = await statuses(10, () => attempt(alice, 'alice', password, '198.51.100.1'));
  assert.deepEqual(new Set(tries), new Set([429]));
  // the stranger has gone, and what he had used up is free again
  await database.query('update attempts set blocked_until = now() where attempts >= 20');
  assert.equal(await attempt(alice, 'alice', password, '198.51.100.1'), 302);
});

test('a successful sign-in does not end the wait caused by a simultaneous guess', async () => {
  const limit = { key: 'an address', free: 5, pause: 60, longest: 900 };
  for (let guess = 0; guess < 3; guess += 1) assert.equal(await countAttempt(database, limit), 0);
  // an account of one's own, and the guess whose wait it could end
  assert.equal(await countAttempt(database, limit), 0);
  assert.equal(await countAttempt(database, limit), 0);
  await returnAttempt(database, limit);
  assert.ok((await countAttempt(database, limit)) > 0);
});

test('a browser that its owner has used before is not locked out by an attacker at the same address', async () => {
  await forgetAttempts();
  const owner = await usedBefore('bob');
  const stranger = new Browser(origin);
  await statuses(60, (index) => attempt(stranger, index % 2 ? 'bob' : `name-${index}`, undefined, '203.0.113.9'));
  assert.equal(await attempt(new Browser(origin), 'bob', password, '203.0.113.9'), 429);
  assert.equal(await attempt(owner, 'bob', password, '203.0.113.9'), 302);
});

test('a known browser has a limit of its own, for its user only', async () => {
  await forgetAttempts();
  const [one, other] = [await usedBefore('bob'), await usedBefore('bob')];
  const guesses = await statuses(7, (index) => attempt(one, 'bob', undefined, `203.0.113.${index}`));
  assert.deepEqual(guesses, [401, 401, 401, 401, 401, 429, 429]);
  assert.ok(await usedBefore('bob', other), 'another browser of the same person');
  const atCarol = await statuses(22, (index) => attempt(other, 'carol', undefined, `203.0.113.${index}`));
  assert.deepEqual([atCarol.at(19), atCarol.at(20)], [401, 429], 'for her this is an unknown browser');
});

test('a browser shared by several users is known for each of them', async () => {
  await forgetAttempts();
  const shared = await usedBefore('carol', await usedBefore('bob'));
  for (const username of ['bob', 'carol']) {
    await statuses(25, (index) => attempt(new Browser(origin), username, undefined, `192.0.2.${index}`));
    assert.equal(await attempt(shared, username, password, '203.0.113.1'), 302, username);
    await shared.submit(await shared.visit('/'), 'action="/logout"');
  }
});

test('a browser is no longer known after the password or its cookie changes', async () => {
  await forgetAttempts();
  const browser = await usedBefore('dave');
  const cookie = browser.cookies().get('browser') ?? '';
  await statuses(25, (index) => attempt(new Browser(origin), 'dave', undefined, `192.0.2.${index}`));
  const [id = '', proof = ''] = cookie.split('.');
  for (const wrong of [`${'A'.repeat(22)}.${proof}`, `${id}.${'A'.repeat(43)}`, id, `${cookie}.x`, proof]) {
    browser.setCookie('browser', wrong);
    assert.equal(await attempt(browser, 'dave', password, '203.0.113.1'), 429, wrong);
  }
  browser.setCookie('browser', cookie);
  const another = '$2b$04$Vq2CwXWfBNGNI3pu1h6nROQiyUBHLTJr9Fk0tFQzFSnQlPTyyZYC6';
  await database.query("update users set password_bcrypt = $1 where username = 'dave'", [another]);
  // wrong passwords of before do not count for the new one
  await statuses(25, (index) => attempt(new Browser(origin), 'dave', undefined, `192.0.2.${index}`));
  assert.equal(await attempt(browser, 'dave', password, '203.0.113.1'), 429);
  await database.query("update users set password_bcrypt = $1 where username = 'dave'", [cheapHash]);
  assert.equal(await attempt(browser, 'dave', password, '203.0.113.1'), 302);
});

test('a port in X-Forwarded-For is ignored', async () => {
  const browser = new Browser(origin);
  for (const from of [
    (port: number) => `192.0.2.77:${port}`,
    (port: number) => `[2001:db8::1]:${port}`,
    (port: number) => `[2001:db8:0:0:${port}::1]`,
  ]) {
    await forgetAttempts();
    const tries = await statuses(6, (index) => attempt(browser, 'erin', undefined, from(4000 + index)));
    assert.deepEqual(tries, [401, 401, 401, 401, 401, 429], from(4000));
    assert.equal(await attempt(browser, 'erin', undefined, '192.0.2.78:4000'), 401, 'another address');
  }
});

test('a chain of trusted proxies that add ports yields the user’s address', async () => {
  const behind = await startLatchkey({ TRUST_PROXY: 'loopback, 10.0.0.0/8' });
  await registerPeople(behind.database, ['erin']);
  const browser = new Browser(behind.origin);
  await attempt(browser, 'erin', password, '192.0.2.1:4711, 10.0.0.2:443, 10.0.0.3');
  const { rows } = await behind.database.query("select address from audit_events where event = 'signed_in'");
  assert.deepEqual(rows, [{ address: '192.0.2.1' }]);
});

test('a username of up to 200 characters works, and a longer one is unknown, not truncated', async () => {
  const register = (username: string) =>
    registerUser(database, { username, password: cheapHash, email: null, name: null });
  for (const name of ['\u{1F511}'.repeat(150), '\u{1F511}'.repeat(200), 'x'.repeat(200)]) {
    await forgetAttempts();
    await register(name);
    assert.equal(await attempt(new Browser(origin), name, password), 302, name);
    assert.equal(await attempt(new Browser(origin), `${name}x`, password), 401);
  }
  await assert.rejects(register('\u{1F511}'.repeat(201)), /longer than 200 characters/);
});

test('when too many sign in at once, the excess is refused after five seconds at most, and that counts as no attempt', async () => {
  const busy = await startLatchkey({ TRUST_PROXY: '1' });
  await registerPeople(busy.database, ['bob']);
  const owner = new Browser(busy.origin);
  assert.equal(await attempt(owner, 'bob', password), 302);
  await owner.submit(await owner.visit('/'), 'action="/logout"');
  // one hashing slot, occupied until all sign-ins from unknown browsers have arrived
  const queue = createHashingQueue(1);
  Object.assign(busy.deps.passwords, createPasswords(queue, 4));
  const leave = await queue.enter({ isKnown: false, prefix: '' });
  const strangers = Array.from({ length: 30 }, (_, index) =>
    attempt(new Browser(busy.origin), `name-${index}`, 'a-wrong-password', `192.0.2.${index}`),
  );
  const told = await Promise.all(strangers);
  assert.deepEqual(new Set(told), new Set([503]));
  const { rows } = await busy.database.query('select count(*)::integer as counted from attempts where attempts > 0');
  assert.equal(rows[0].counted, 0);
  leave();
  // one after the other: the queue has seen that a hash takes long here, and would let nobody wait
  assert.equal(await attempt(owner, 'bob', password), 302);
  assert.equal(await attempt(new Browser(busy.origin), 'name-1', 'a-wrong-password'), 401);
});

test('successful sign-ins of many users from one address do not use up its limit', async () => {
  await forgetAttempts();
  const people = Array.from({ length: 56 }, (_, index) => `person-${index}`);
  await registerPeople(database, people);
  for (const username of people) {
    const browser = new Browser(origin);
    const [path, init] = formRequest(await browser.visit('/login'), 'id="login"', { username, password });
    assert.equal((await browser.open(path, init)).status, 302, username);
  }
});

test('free attempts are restored after a quarter of an hour, even when attempts are steady', async () => {
  const count = () => database.query("select count_attempts('{steady}', '{3}', '{5}', '{900}') as wait");
  await count();
  await database.query("update attempts set forgotten_at = forgotten_at - interval '10 minutes' where key = 'steady'");
  await count();
  await database.query("update attempts set forgotten_at = forgotten_at - interval '6 minutes' where key = 'steady'");
  await count();
  const { rows } = await database.query("select attempts from attempts where key = 'steady'");
  assert.equal(rows[0].attempts, 1);
});

test('no answer tells that two names are of one person, although wrong passwords by either count for both', async () => {
  await forgetAttempts();
  const [stranger, email] = [new Browser(origin), 'alice@example.com'];
  const tries = (username: string) => statuses(8, () => attempt(stranger, username, 'wrong'));
  const first = await tries('alice');
  assert.deepEqual(first, [401, 401, 401, 401, 401, 429, 429, 429]);
  assert.deepEqual(await tries(email), first, 'as a name of nobody is answered');
  await forgetAttempts();
  await tries('alice');
  assert.equal(await attempt(stranger, email, password), 401, 'it was not compared');
  await forgetAttempts();
  assert.equal(await attempt(stranger, email, password), 302);
});
