import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerUser } from '../../src/store/users.ts';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { obtainCode, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database, url } = await startLatchkey({ TRUST_PROXY: '1' });
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
const forgetAttempts = () => database.query('delete from attempts');
await lengthenWaits(database);

/** Milliseconds of CPU that this process, and the server in it, spends on something, however busy the machine is. */
async function workOf(something: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await something();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('a password of 100 KB, of surrogates, of bytes that are no UTF-8 never reaches bcrypt [A134] [A136]', async () => {
  await forgetAttempts();
  const browser = new Browser(origin);
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

test('a name is shown again as text, whatever it is made of [A140]', async () => {
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

test('dots that are encoded lead out of no path after signing in [A146]', async () => {
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

test('an unknown name takes as much work as a wrong password, also for a hash that is cheaper than ours [A130] [A131]', async () => {
  const dora = { username: 'dora', password: 'a-password-that-is-hashed-here', email: null, name: null };
  await registerUser(database, dora);
  const browser = new Browser(origin);
  const login = await browser.visit('/login');
  const works: Record<string, number[]> = { dora: [], bob: [], nobody: [] };
  for (let sample = 0; sample < 7; sample += 1) {
    for (const username of ['dora', 'bob', 'nobody']) {
      await forgetAttempts();
      const form = { username, password: 'a-wrong-password' };
      works[username]?.push(await workOf(() => browser.submit(login, 'id="login"', form)));
    }
  }
  const median = (name: string) => works[name]?.sort((a, b) => a - b)[3] ?? 0;
  for (const known of ['dora', 'bob']) {
    const ratio = median('nobody') / median(known);
    // a dummy hash that is none answers with a thousandth of the work
    assert.ok(ratio > 0.6 && ratio < 1.7, JSON.stringify(works));
  }
});

test('a limit holds for an IPv6 network, however its zeros are written, and a claimed name is no address [A11]', async () => {
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

test('what was typed as a name is not kept: it may have been a password [A311]', async () => {
  await forgetAttempts();
  const browser = new Browser(origin);
  const slip = 'my-secret-password-typed-too-early';
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: slip, password: 'x'.repeat(73) });
  const { rows } = await database.query('select key from attempts');
  assert.ok(rows.length >= 3);
  assert.ok(!JSON.stringify(rows).includes(slip));
});

test('two instances count together [A142]', async () => {
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
