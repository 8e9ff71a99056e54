import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest } from '../support/browser.ts';
import { authorizationQuery, codeIn, getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

// What a reader of the source found after all the lists had been worked through.

const { origin, database } = await startLatchkey();
await registerPeople(database);
await registerPrinter(database);

test('successful sign-ins of many users from one address do not use up its limit', async () => {
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

test('non-ASCII bytes in a form key and in the browser cookie are refused, not an internal error', async () => {
  const browser = new Browser(origin);
  const page = await browser.visit('/login');
  assert.equal((await browser.submit(page, 'id="login"', { csrf: 'é'.repeat(43) })).status, 403);
  const [path, init] = formRequest(page, 'id="login"', { username: 'alice', password: 'x'.repeat(73) });
  browser.setCookie('browser', '\u00e9'.repeat(43));
  assert.equal((await browser.open(path, init)).status, 401);
});

test('a consent form does not extend the duration of scopes that were not on it', async () => {
  const browser = await signedInBrowser(origin);
  await registerPrinter(database, { client_id: 'patient' });
  const client_id = 'patient';
  await obtainCode(browser, { client_id, scope: 'repo:read' }, { duration: '30d' });
  await obtainCode(browser, { client_id, scope: 'user:name' }, { duration: 'always' });
  const { rows } = await database.query("select duration, expires_at from grants where client_id = 'patient'");
  assert.equal(rows[0].duration, '30d');
  assert.ok(rows[0].expires_at instanceof Date);
  await obtainCode(browser, { client_id, scope: 'user:name repo:read', prompt: 'consent' }, { duration: 'always' });
  const { rows: later } = await database.query("select duration, expires_at from grants where client_id = 'patient'");
  assert.deepEqual([later[0].duration, later[0].expires_at], ['always', null]);
});

test('switching accounts in the GitHub-compatible flow returns to that flow', async () => {
  const browser = await signedInBrowser(origin);
  const query = authorizationQuery({ response_type: undefined, prompt: 'consent' });
  const consent = await browser.visit(`/login/oauth/authorize?${query}`);
  const login = await browser.submit(consent, 'action="/login/oauth/logout');
  const again = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.ok(codeIn(await browser.submit(again, 'id="allow"')));
});

test('two Authorization headers are refused, even when equal [6750 §2]', async () => {
  const browser = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(browser));
  const { request } = await import('node:http');
  const value = `Bearer ${body['access_token']}`;
  const status = await new Promise((resolve) => {
    const headers = ['Host', new URL(origin).host, 'Authorization', value, 'Authorization', value];
    request(`${origin}/user`, { headers }, (res) => resolve(res.resume().statusCode)).end();
  });
  assert.equal(status, 400);
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
});

test('a password hash with PHP’s $2y$ prefix works', async () => {
  const { rows } = await database.query("select password_bcrypt from users where username = 'alice'");
  const hash = rows[0].password_bcrypt.replace(/^\$2[ab]/, '$2y');
  await database.query('select register_user($1, $2)', ['php', hash]);
  const browser = await signedInBrowser(origin, 'php');
  assert.equal((await browser.open('/login')).status, 302);
});

test('an unchanged seed leaves a changed password alone, and a changed seed replaces it', async () => {
  const seed = (secret: string) => database.query('select register_user($1, $2)', ['seeded', secret]);
  const verifies = async (secret: string) =>
    (
      await database.query(
        "select crypt($1, password_bcrypt) = password_bcrypt as ok from users where username = 'seeded'",
        [secret],
      )
    ).rows[0].ok;
  await seed('from the seed');
  await database.query(
    "update users set password_bcrypt = crypt('changed since', gen_salt('bf', 4)) where username = 'seeded'",
  );
  await seed('from the seed');
  assert.equal(await verifies('changed since'), true);
  await seed('another seed');
  assert.equal(await verifies('another seed'), true);
});

test('registrations that would later break a page or a policy are refused', async () => {
  const refused = (changes: object) =>
    assert.rejects(registerPrinter(database, { client_id: 'odd', ...changes }), /register_client/);
  await refused({ redirect_uris: ['https://..printer.example/cb'] });
  await refused({ redirect_uris: ['https://printer.example/%2e%2e/cb'] });
  await refused({ logo_uri: 'https://x;sandbox' });
  await refused({
    homepage_uri: 'javascript:alert(1)',
    site_domain: 'localhost',
    redirect_uris: ['http://localhost/cb'],
  });
  assert.ok(printer.redirect_uri);
});
