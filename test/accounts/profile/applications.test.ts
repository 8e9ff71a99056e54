import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser, formRequest } from '../../support/browser.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  obtainCode,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database, ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan']);
await registerPrinter(database, { required_scopes: ['user:name'] });
await registerPrinter(database, { client_id: 'b/c:d*e', name: '<i>Odd</i> \u202eddO' });

const path = '/account/applications/photo-printer';
const save = 'class="primary"';

/** Gives the photo printer consent for the ticked scopes, and redeems its code. */
async function connected(username: string, ticked = ['user:name', 'user:email'], scope = 'user') {
  const browser = await signedInBrowser(origin, username);
  const code = await obtainCode(browser, { scope }, { scope: ticked });
  const { body } = await redeem(origin, code);
  return { browser, access_token: body['access_token'], refresh_token: body['refresh_token'] };
}

test('the page says when no application has access', async () => {
  const page = await (await signedInBrowser(origin, 'ivan')).visit('/account/applications');
  assert.match(page.text, /No application has access to your account/);
});

test('each application is listed with its permissions, and one click revokes all its access', async () => {
  const { browser, access_token, refresh_token } = await connected('alice', ['user:name']);
  const page = await browser.visit('/account/applications');
  assert.match(page.text, /Photo Printer/);
  assert.match(page.text, /See your name and username/);
  assert.doesNotMatch(page.text, /See your email address/);
  assert.match(page.text, /Access since <time[^<]*<\/time>, no end date/);
  assert.equal((await getUser(origin, access_token)).status, 200);
  const revoked = await browser.submit(page, 'class="revoke');
  assert.equal(revoked.url, `${origin}/account/applications?revoked=photo-printer`);
  const names = /<bdi[^>]*>Photo Printer<\/bdi> no longer has access to your account\./;
  assert.match(revoked.text, names);
  assert.match(revoked.text, /No application has access to your account/);
  assert.equal((await getUser(origin, access_token)).status, 401);
  assert.equal((await refresh(origin, refresh_token)).body['error'], 'invalid_grant');
  assert.match((await browser.visit('/account/activity')).text, /Access revoked: [\s\S]{0,60}Photo Printer/);
  const linked = await browser.open(path);
  assert.equal(linked.status, 404);
  assert.match(linked.text, /<h1>This application has no access<\/h1>/);
  assert.doesNotMatch(linked.text, /developer|id="error"/i);
  assert.match((await browser.submit(page, 'class="revoke')).text, /This application has no access/, 'a second click');
  await obtainCode(browser);
  assert.doesNotMatch((await browser.visit(revoked.url)).text, names, 'the application has access again');
});

test('switching a permission off or on applies to the application’s next request', async () => {
  const { browser, access_token } = await connected('bob');
  assert.equal((await getUser(origin, access_token)).body['email'], 'bob@example.com');
  const page = await browser.visit(path);
  const off = await browser.submit(page, save, { scope: ['user:name'] });
  assert.equal(off.url, `${origin}${path}?notice=permission_changed`);
  assert.equal('email' in (await getUser(origin, access_token)).body, false);
  const on = await browser.submit(off, save, { scope: ['user:name', 'user:email'] });
  assert.match(on.text, /Permissions saved/);
  assert.equal((await getUser(origin, access_token)).body['email'], 'bob@example.com');
  assert.match((await browser.visit('/account/activity')).text, /Permissions changed: [\s\S]{0,60}Photo Printer/);
  const { rows } = await database.query(
    "select detail from audit_events where event = 'consent_changed' order by happened_at",
  );
  assert.deepEqual(
    rows.map(({ detail }) => detail),
    ['user:name', 'user:name user:email'],
  );
});

test('a declined permission can be switched on, and the next authorization skips consent', async () => {
  const { browser, access_token } = await connected('carol', ['user:name']);
  await browser.submit(await browser.visit(path), save, { scope: ['user:name', 'user:email'] });
  assert.equal('email' in (await getUser(origin, access_token)).body, false);
  const answer = await browser.visit(`/authorize?${authorizationQuery()}`);
  const { body } = await redeem(origin, codeIn(answer));
  assert.equal(body['scope'], 'user');
});

test('a required permission cannot be switched off, and one that was never offered cannot be switched on', async () => {
  const { browser, access_token } = await connected('dave');
  const page = await browser.visit(path);
  const refused = await browser.submit(page, save, { scope: ['user:email'] });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /marked “Required” was missing/);
  assert.equal((await getUser(origin, access_token)).body['username'], 'dave');
  await browser.submit(page, save, { scope: ['user:name', 'user:email', 'repo:write', 'admin'] });
  const { rows } = await database.query(
    'select scopes, refused_scopes from grants join users using (user_id) where username = $1',
    ['dave'],
  );
  assert.deepEqual(rows[0], { scopes: ['user:name', 'user:email'], refused_scopes: [] });
});

test('a permission that becomes required later is not granted without the user', async () => {
  const { browser } = await connected('erin', ['user:name']);
  await registerPrinter(database, { required_scopes: ['user:name', 'user:email'] });
  const saved = await browser.submit(await browser.visit(path), save);
  assert.equal(saved.status, 200);
  const { rows } = await database.query('select scopes from grants join users using (user_id) where username = $1', [
    'erin',
  ]);
  assert.deepEqual(rows[0].scopes, ['user:name']);
  await registerPrinter(database, { required_scopes: ['user:name'] });
});

test('an exchange, a refresh or a request records the last use, at most once in five minutes', async () => {
  const { rows: clock } = await database.query('select now() as start');
  const { browser, access_token, refresh_token } = await connected('frank');
  const lastUse = async () =>
    (
      await database.query(
        `select grants.last_used_at, grants.xmin, clients.last_used_at as client_used_at
         from grants join users using (user_id) join clients using (client_id) where username = $1`,
        ['frank'],
      )
    ).rows[0];
  const used = async () => /<br>(?:Last used |(?=Never used))([^<]*)/.exec((await browser.visit(path)).text)?.[1];
  const forget = async (time: string) => {
    for (const table of ['grants', 'clients']) await database.query(`update ${table} set last_used_at = ${time}`);
  };
  // no answer waits for it
  const until = async <T>(read: () => Promise<T>, isThere: (found: T) => boolean) => {
    for (let tries = 0; tries < 200 && !isThere(await read()); tries += 1) await pause(50);
    return read();
  };
  const noted = await until(
    lastUse,
    ({ client_used_at, last_used_at }) => client_used_at !== null && last_used_at !== null,
  );
  const { last_used_at, xmin, client_used_at } = noted;
  assert.ok(last_used_at >= clock[0].start);
  // perhaps before this test, but then less than five minutes
  assert.ok(client_used_at.getTime() > clock[0].start.getTime() - 300_000);
  await getUser(origin, access_token);
  assert.equal((await lastUse()).xmin, xmin);
  await forget('null');
  assert.equal(await used(), 'Never used');
  const { body } = await refresh(origin, refresh_token);
  assert.equal(await until(used, (text) => text === 'just now'), 'just now');
  await forget("now() - interval '6 minutes'");
  assert.equal(await used(), 'about 6 minutes ago');
  await Promise.all(Array.from({ length: 5 }, () => getUser(origin, body['access_token'])));
  assert.equal(await until(used, (text) => text === 'just now'), 'just now');
  assert.ok((await lastUse()).client_used_at > client_used_at);
});

test('an answer succeeds even when its use cannot be recorded', async () => {
  const { access_token } = await connected('grace');
  await database.query('update grants set last_used_at = null');
  await database.query('alter table clients rename column last_used_at to elsewhere');
  try {
    assert.equal((await getUser(origin, access_token)).status, 200);
  } finally {
    await database.query('alter table clients rename column elsewhere to last_used_at');
  }
});

test('a new one-time grant ends the previous one; a standing grant stays, and the page has one row', async () => {
  const browser = await signedInBrowser(origin, 'heidi');
  const allow = async (duration: string) => {
    const code = await obtainCode(browser, { prompt: 'consent' }, { duration });
    return (await redeem(origin, code)).body['access_token'];
  };
  const rowsOf = async () => [...(await browser.visit('/account/applications')).text.matchAll(/class="revoke/g)].length;
  const first = await allow('once');
  const second = await allow('once');
  assert.deepEqual([(await getUser(origin, first)).status, (await getUser(origin, second)).status], [401, 200]);
  assert.equal(await rowsOf(), 1);
  const standing = await allow('always');
  const third = await allow('once');
  for (const [token, status] of [
    [second, 401],
    [standing, 200],
    [third, 200],
  ] as const) {
    assert.equal((await getUser(origin, token)).status, status);
  }
  assert.equal(await rowsOf(), 1);
});

test('the link to an application leads through the sign-in, whatever its client_id', async () => {
  const browser = await signedInBrowser(origin);
  await obtainCode(browser, { client_id: 'b/c:d*e' });
  const odd = '/account/applications/b%2Fc%3Ad%2Ae';
  assert.match((await browser.visit('/account/applications')).text, new RegExp(`href="${odd}"`));
  const stranger = new Browser(origin);
  const page = await stranger.submit(await stranger.visit(odd), 'id="login"', { username: 'alice', password });
  assert.equal(page.url, origin + odd);
  assert.match(page.text, /&lt;i&gt;Odd&lt;\/i&gt;/);
  assert.doesNotMatch(page.text, /\u202e|<i>/);
});

test('applications without access and unknown ones get the same 404, for posts as well', async () => {
  await connected('alice');
  const browser = await signedInBrowser(origin, 'alice');
  const page = await browser.visit(path);
  await registerPrinter(database, { client_id: 'foreign' });
  await obtainCode(await signedInBrowser(origin, 'bob'), { client_id: 'foreign' });
  for (const client_id of ['foreign', 'nobody', '%00', '%20', '%C3%BC', 'x'.repeat(300)]) {
    assert.equal((await browser.open(`/account/applications/${client_id}`)).status, 404, client_id);
    for (const [button, suffix] of [
      [save, ''],
      ['class="revoke', '/revoke'],
    ] as const) {
      const [, init] = formRequest(page, button);
      const answer = await browser.open(`/account/applications/${client_id}${suffix}`, init);
      assert.equal(answer.status, 404, client_id + suffix);
      assert.match(answer.text, /This application has no access/);
    }
  }
  const { rows } = await database.query("select 1 from grants where client_id = 'foreign' and revoked_at is null");
  assert.equal(rows.length, 1);
});

test('forged forms neither revoke nor change access, and the page comes back with a message', async () => {
  const { browser, access_token } = await connected('bob');
  for (const [page, button] of [
    [await browser.visit('/account/applications'), 'photo-printer/revoke'],
    [await browser.visit(path), save],
    [await browser.visit(path), 'class="revoke'],
  ] as const) {
    const expired = await browser.submit(page, button, { csrf: 'x'.repeat(43), scope: 'user:name' });
    assert.equal(expired.status, 403);
    assert.match(expired.text, /open for too long/);
    const [address, init] = formRequest(page, button, { scope: 'user:name' });
    const headers = { ...(init.headers as Record<string, string>), origin: 'https://evil.example' };
    assert.equal((await browser.open(address, { ...init, headers })).status, 403);
  }
  assert.equal((await getUser(origin, access_token)).body['email'], 'bob@example.com');
});

test('expired and one-time grants are not shown as active', async () => {
  const browser = await signedInBrowser(origin, 'dave');
  await obtainCode(browser, { prompt: 'consent' }, { duration: '30d' });
  const page = await browser.visit(path);
  assert.match(page.text, /Access since <time[^<]*<\/time>, until <time/);
  assert.doesNotMatch(page.text, /no end date/);
  await database.query("update grants set expires_at = now() where client_id = 'photo-printer'");
  assert.equal((await browser.open(path)).status, 404);
});

test('the consent page shows the application’s reason for each permission', async () => {
  await database.query(
    `update clients set scope_reasons = '{"user:name": "We print it on the parcel.", "user:email": "No <b>news</b>."}' where client_id = $1`,
    [printer.client_id],
  );
  const browser = await signedInBrowser(origin, 'erin');
  const page = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  assert.match(page.text, /says: “[\s\S]{0,60}We print it on the parcel\./);
  assert.match(page.text, /says: “[\s\S]{0,60}No &lt;b&gt;news/);
  assert.equal(
    (await redeem(origin, codeIn(await browser.submit(page, 'id="allow"')), {}, { authorization: basic() })).status,
    200,
  );
});

test('a one-time grant is shown with the moment at which it ends, not with "until today"', async () => {
  const browser = await signedInBrowser(origin, 'erin');
  await database.query('delete from grants');
  await obtainCode(browser, { prompt: 'consent' }, { duration: 'once' });
  for (const page of [await browser.visit('/account/applications'), await browser.visit(path)]) {
    const words = page.text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    assert.match(words, /One-time access since \d+ \w+ \d+, \d+:\d+ UTC ?Ends by \d+ \w+ \d+, \d+:\d+ UTC/);
  }
});
