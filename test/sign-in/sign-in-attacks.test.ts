import assert from 'node:assert/strict';
import { test } from 'node:test';
import bcrypt from 'bcrypt';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { obtainCode, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, registerUser, startLatchkey } from '../support/latchkey.ts';

const { origin, database, url } = await startLatchkey({ TRUST_PROXY: '1' });
/** A server like the first, with the bcrypt cost of production. */
const real = await startLatchkey({ TRUST_PROXY: '1' }, url, 12);
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
const forgetAttempts = () => database.query('delete from attempts');
await lengthenWaits(database);

/** Milliseconds of CPU time of this process, which includes the server; independent of the load of the machine. */
async function workOf(something: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await something();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('a password of 100 KB, of surrogates or of invalid UTF-8 never reaches bcrypt [A134] [A136]', async () => {
  await forgetAttempts();
  const browser = new Browser(real.origin);
  const [path, init] = formRequest(await browser.visit('/login'), 'id="login"', { username: 'alice', password: 'P' });
  const hashing = await workOf(() => browser.open(path, init));
  for (const [bad, status] of [
    ['x'.repeat(100_000), 413],
    ['x'.repeat(10_000), 401],
    ['%ED%A0%80', 400],
    ['%FF', 400],
  ] as const) {
    const body = String(init.body).replace('password=P', `password=${bad}`);
    const work = await workOf(async () => assert.equal((await browser.open(path, { ...init, body })).status, status));
    assert.ok(work < hashing / 2, `${work} ms, and ${hashing} with bcrypt`);
  }
});

test('a username is redisplayed as text, whatever it contains [A140]', async () => {
  await forgetAttempts();
  const browser = new Browser(origin);
  const login = await browser.visit('/login');
  for (const username of [
    '"><script>alert(1)</script>',
    "' autofocus onfocus=alert(1) x='",
    '<%= 7*7 %>',
    '&lt;b&gt;',
    '{{7*7}}',
  ]) {
    const { text } = await browser.submit(login, 'id="login"', { username, password: 'x'.repeat(73) });
    assert.doesNotMatch(text, /<script>|onfocus=alert\(1\) x='"|value="49"/);
    const shown = /name="username" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const meant = shown.replace(/&#34;/g, '"').replace(/&#39;/g, "'").replace(/&lt;/g, '<').replace(/&gt;/g, '>');
    assert.equal(meant.replace(/&amp;/g, '&'), username);
  }
});

test('encoded dots lead to no other path after signing in [A146]', async () => {
  await forgetAttempts();
  for (const to of [
    '/account/%2e%2e/%2e%2e/other',
    '/account/%2E./x',
    '/account/.%2e/x',
    '/account//evil.example',
    '/account\\evil',
  ]) {
    const browser = new Browser(origin);
    const login = await browser.visit(`/login?${new URLSearchParams({ to })}`);
    const [path, init] = formRequest(login, 'id="login"', { username: 'alice', password });
    assert.equal((await browser.open(path, init)).location, '/', to);
  }
});

test('an unknown username costs as much work as a wrong password, also with password hashes of other costs [A130] [A131]', async (t) => {
  const hash = t.mock.method(bcrypt, 'hash');
  const { origin: costing } = await startLatchkey({ TRUST_PROXY: '1' }, url, 9);
  const register = async (username: string, cost: number) => {
    await registerPeople(database, [username]);
    const values = [username, await bcrypt.hash('a-password-that-nobody-types', cost)];
    await database.query('update users set password_bcrypt = $2 where username = $1', values);
  };
  const browser = new Browser(costing);
  const login = await browser.visit('/login');
  const assertEqualWork = async (usernames: string[], rounds: number) => {
    const works: number[] = [];
    for (const username of usernames) {
      await forgetAttempts();
      hash.mock.resetCalls();
      const form = { username, password: 'a-wrong-password' };
      works.push(await workOf(() => browser.submit(login, 'id="login"', form)));
      // the work of a hash of cost c is 2^c; measured, it may differ by half between two cores
      const costs = hash.mock.calls.map(
        ({ arguments: [, salt] }) => 2 ** Number(/^\$2b\$(\d\d)\$/.exec(String(salt))?.[1]),
      );
      assert.equal(
        costs.reduce((sum, one) => sum + one, 0),
        rounds,
        username,
      );
    }
    // comparing with an invalid dummy hash takes a thousandth of the work
    assert.ok(Math.min(...works) > Math.max(...works) / 10, JSON.stringify(works));
  };
  await register('cheap', 7);
  await assertEqualWork(['nobody', 'cheap'], 2 ** 9);
  await register('dear', 13);
  await assertEqualWork(['nobody', 'cheap', 'dear'], 2 ** 13);
  await database.query("delete from users where username = 'dear'");
});

test('signing in rehashes a password whose cost is outdated, without ending a session', async () => {
  await registerPeople(database, ['erin']);
  const hash = async () =>
    (await database.query("select password_bcrypt from users where username = 'erin'")).rows[0].password_bcrypt;
  const values = [await bcrypt.hash(password, 6)];
  await database.query("update users set password_bcrypt = $1 where username = 'erin'", values);
  const first = await signedInBrowser(origin, 'erin');
  const renewed = await hash();
  assert.match(renewed, /^\$2b\$04\$/, 'the cost that tests use');
  await signedInBrowser(origin, 'erin');
  assert.equal(await hash(), renewed);
  assert.equal((await first.open('/account')).status, 200);
});

test('a bcrypt hash with a cost above 12 cannot be registered, unless it is the current one', async () => {
  const register = (hash: string) =>
    registerUser(database, { username: 'frank', password: hash, email: null, name: null });
  const dear = await bcrypt.hash(password, 13);
  const sentence = /register_user\('frank'\): the bcrypt hash has cost 13; the highest that is accepted is 12/;
  await assert.rejects(register(dear), sentence);
  await register(await bcrypt.hash(password, 4));
  await assert.rejects(register(dear), sentence);
  await database.query("update users set registered_password_bcrypt = $1 where username = 'frank'", [dear]);
  await register(dear);
});

test('a limit covers an IPv6 network in every notation, and X-Forwarded-For does not change it [A11]', async () => {
  const browser = new Browser(origin);
  const login = await browser.visit('/login');
  const guess = async (address: string) => {
    const [path, init] = formRequest(login, 'id="login"', { username: 'bob', password: 'x'.repeat(73) });
    const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': address };
    return (await browser.open(path, { ...init, headers })).status;
  };
  for (const addressOf of [
    (host: number) => `2001:db8::${host}`,
    (host: number) => `2001:DB8:0:0:${host}::${host}`,
    (host: number) => `junk-${host}`,
    () => '::ffff:192.0.2.1',
  ]) {
    await forgetAttempts();
    const statuses = [];
    for (let host = 0; host < 7; host += 1) statuses.push(await guess(addressOf(host)));
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429], addressOf(1));
  }
});

test('the username that was typed is not stored, since it may be a password [A311]', async () => {
  await forgetAttempts();
  const browser = new Browser(origin);
  const slip = 'my-secret-password-typed-too-early';
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: slip, password: 'x'.repeat(73) });
  const { rows } = await database.query('select key from attempts');
  assert.ok(rows.length >= 3);
  assert.ok(!JSON.stringify(rows).includes(slip));
});

test('two instances share their attempt counts [A142]', async () => {
  await forgetAttempts();
  const second = await startLatchkey({ ISSUER: origin }, url);
  const statuses = [];
  for (const at of [origin, second.origin, origin, second.origin, origin, second.origin, origin]) {
    const browser = new Browser(at);
    const page = await browser.submit(await browser.visit('/login'), 'id="login"', {
      username: 'bob',
      password: 'wrong',
    });
    statuses.push(page.status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
  await forgetAttempts();
  assert.ok(await obtainCode(await signedInBrowser(second.origin)));
});

test('non-ASCII bytes in a form key and in the browser cookie are refused, not an internal error', async () => {
  const browser = new Browser(origin);
  const page = await browser.visit('/login');
  await forgetAttempts();
  assert.equal((await browser.submit(page, 'id="login"', { csrf: 'é'.repeat(43) })).status, 403);
  const [path, init] = formRequest(page, 'id="login"', { username: 'alice', password: 'x'.repeat(73) });
  browser.setCookie('browser', '\u00e9'.repeat(43));
  assert.equal((await browser.open(path, init)).status, 401);
});
