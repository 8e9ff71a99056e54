import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applySeed } from '../../../src/postgres/migrations.ts';
import { Browser, type Page } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { diagnose } from '../../support/doctor.ts';
import { authorizationQuery } from '../../support/flow.ts';
import { password, registerPeople, startLatchkey, startWithPrinter } from '../../support/latchkey.ts';
import { writeFile } from '../../support/scratch.ts';
import { answerTo, readRequest, returnWith, sentToWebsite, sharedSecret } from '../../support/website.ts';

const site = 'https://www.provider.example';
const elsewhere = { SIGN_IN_URL: `${site}/oauth-sign-in?from=latchkey`, SIGN_IN_SECRET: sharedSecret };
const env = { ...elsewhere, PASSWORDS: 'off' };
const { origin, database, url } = await startWithPrinter(env);
const both = await startLatchkey(elsewhere, url);

async function signedIn(sub: string, at = origin): Promise<Browser> {
  const { browser, asked } = await sentToWebsite(at);
  await returnWith(browser, answerTo(asked, { sub, username: sub }));
  return browser;
}

/** As if the person had signed in longer ago. */
const age = (sub: string, seconds: number) =>
  database.query(
    `update sessions set auth_time = auth_time - make_interval(secs => $2)
     from users where users.user_id = sessions.user_id and subject = $1`,
    [sub, seconds],
  );

test('the browser goes straight to the website, whose address may have a query', async () => {
  const page = await new Browser(origin).visit(`/authorize?${authorizationQuery()}`);
  assert.match(page.location ?? '', /^https:\/\/www\.provider\.example\/oauth-sign-in\?from=latchkey&request=ey/);
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  const own = await new Browser(origin).visit('/account');
  assert.ok(own.location?.startsWith(site));
});

test('what a page of a stranger embeds begins no sign-in, and one that succeeds is not counted for its network', async () => {
  const counted = async () =>
    (await database.query('select coalesce(max(attempts), 0)::integer as most from attempts')).rows[0].most;
  await database.query('delete from attempts');
  for (const dest of ['image', 'iframe', 'script', 'empty']) {
    const headers = { 'sec-fetch-dest': dest, 'sec-fetch-site': 'cross-site' };
    const page = await new Browser(origin).open('/login', { headers });
    assert.deepEqual([page.status, page.location], [200, undefined], dest);
  }
  assert.equal(await counted(), 0);
  const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };
  const page = await new Browser(origin).open('/login', { headers });
  assert.ok(page.location?.startsWith(site));
  assert.equal(await counted(), 1);
  for (const sub of ['first', 'second', 'third']) await signedIn(`counted-${sub}`);
  assert.equal(await counted(), 1, 'only the one that nobody has finished');
});

test('no form takes a password, and a password that is sent all the same is not looked at', async () => {
  await registerPeople(database, ['hashed']);
  const browser = await signedIn('form-1');
  const anonymous = new Browser(origin);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await browser.visit('/account')).text) ?? [];
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ csrf, username: 'hashed', password }).toString();
  for (const one of [browser, anonymous]) {
    const page = await one.open('/login', { method: 'POST', headers, body });
    assert.ok(!page.text.includes('name="password"'));
    assert.ok(page.status === 403 || page.text.includes('id="website"'), String(page.status));
  }
  const { rowCount } = await database.query(
    `select from sessions join users using (user_id) where username = 'hashed'`,
  );
  assert.equal(rowCount, 0);
  for (const path of ['/account', '/account/delete']) {
    assert.doesNotMatch((await browser.visit(path)).text, /type="password"/, path);
  }
  const change = new URLSearchParams({ csrf, old_password: password, new_password: 'a new password' }).toString();
  assert.equal((await browser.open('/account/password', { method: 'POST', headers, body: change })).status, 403);
});

test('whoever signs in, cancels and is refused never meets a loop', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const refused = await returnWith(browser, answerTo(asked, { aud: 'https://other.example' }));
  assert.equal(refused.status, 400);
  const again = /href="(\/authorize[^"]+)">Try again/.exec(refused.text)?.[1] ?? assert.fail(refused.text);
  assert.ok((await browser.visit(again.replaceAll('&amp;', '&'))).location?.startsWith(site));
});

const submitDeletion = (browser: Browser, page: Page) => browser.submit(page, 'class="danger"');

test('an account is deleted after a sign-in of the last quarter of an hour, and else after a new one', async () => {
  for (const at of [origin, both.origin]) {
    const sub = `gone-${new URL(at).port}`;
    const browser = await signedIn(sub, at);
    const open = await browser.visit('/account/delete');
    await age(sub, 1000);
    const refused = await submitDeletion(browser, open);
    assert.equal(refused.status, 403);
    const [, again = ''] = /id="again"[^>]*href="([^"]+)"/.exec(refused.text) ?? assert.fail(refused.text);
    const login = await browser.visit(again.replaceAll('&amp;', '&'));
    const sent = login.location === undefined ? await browser.submit(login, 'id="website"') : login;
    const asked = await readRequest(at, sent.location);
    assert.equal(asked['prompt'], 'login');
    const page = await returnWith(browser, answerTo(asked, { sub, username: sub }));
    assert.equal(page.url, `${at}/account/delete`);
    assert.match((await submitDeletion(browser, page)).text, /Your account has been deleted/);
    const { rowCount } = await database.query('select from users where subject = $1', [sub]);
    assert.equal(rowCount, 0);
  }
});

test('an earlier sign-in at the website is no new one', async () => {
  const browser = await signedIn('stale-1');
  await age('stale-1', 1000);
  const sent = await browser.visit('/login?to=/account/delete&fresh=1');
  const asked = await readRequest(origin, sent.location);
  const long = Math.floor(Date.now() / 1000) - 1000;
  const page = await returnWith(browser, answerTo(asked, { sub: 'stale-1', auth_time: long }));
  assert.match(page.text, /A new sign-in is needed/);
});

test('a new address needs a fresh sign-in, of which the page tells before anything is typed', async () => {
  const browser = await signedIn('address-1');
  const saved = await browser.submit(await browser.visit('/account'), 'name="email"', {
    name: 'A',
    email: 'a@b.example',
  });
  assert.match(saved.url, /notice=profile_saved/);
  await age('address-1', 1000);
  const page = await browser.visit('/account');
  assert.match(page.text, /To enter a new address, sign in again first/);
  const refused = await browser.submit(page, 'name="email"', { name: 'A', email: 'c@d.example' });
  assert.equal(refused.status, 403);
  assert.match(refused.text, /value="c@d\.example"/);
  assert.match(refused.text, /Sign in again, then submit the form again/);
  const [, again = ''] = /id="again"[^>]*href="([^"]+)"/.exec(refused.text) ?? assert.fail(refused.text);
  const sent = await readRequest(origin, (await browser.visit(again.replaceAll('&amp;', '&'))).location);
  const restored = await returnWith(browser, answerTo(sent, { sub: 'address-1' }));
  assert.match(restored.text, /What you entered is still here; it is not saved yet/);
  const proved = await browser.submit(restored, 'name="email"');
  assert.match(proved.url, /notice=profile_saved/);
  await age('address-1', 1000);
  const renamed = await browser.submit(await browser.visit('/account'), 'name="email"', { name: 'Another Name' });
  assert.match(renamed.url, /notice=profile_saved/);
});

test('a person with a password uses it, and one without does not, where both ways are open', async () => {
  await registerPeople(database, ['typist']);
  const browser = new Browser(both.origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'typist', password });
  await database.query(`update sessions set auth_time = now() - interval '1 hour'`);
  assert.match((await browser.visit('/account/delete')).text, /type="password"/);
  const other = await signedIn('guest-1', both.origin);
  const account = await other.visit('/account/security');
  assert.doesNotMatch(account.text, /type="password"/);
  assert.match(account.text, /You sign in at another site, so you have no password here/);
});

test('the only administrator cannot delete the account without a password either', async () => {
  await database.query(`select register_user(username => 'chief', subject => 'chief-1', is_admin => true)`);
  await database.query(`select move_account('chief-1', 'website')`);
  const browser = await signedIn('chief-1');
  assert.match((await browser.visit('/account/delete')).text, /You are the only administrator/);
});

test('a seed leaves no hash, and keeps the accounts', async () => {
  const seed = writeFile(
    'passwords.sql',
    `select register_user(username => 'seeded', password => 'correct horse battery', email => 'seeded@example.com');
     select register_user(username => 'seeded-hash', password => '$2b$04$egjOucnIr8Rof0KLj4JhauniB0pJYD4NJJXf3CKkAocE0nzl89CcS');`,
  );
  for (let run = 0; run < 2; run += 1) await applySeed({ connectionString: url }, seed, { passwords: false });
  const { rows } = await database.query(
    `select num_nonnulls(password_bcrypt, password_hash, registered_password_bcrypt) as hashes
     from users where username like 'seeded%'`,
  );
  assert.deepEqual(rows, [{ hashes: 0 }, { hashes: 0 }]);
});

test('commands make accounts without a password, and say why there is none to set', async () => {
  const { latchkey } = commandLineFor(url);
  const created = await latchkey(['user', 'create', 'made'], { env });
  assert.equal(created.code, 0, created.err);
  const refused = await latchkey(['user', 'set-password', 'made'], { env, input: 'correct horse battery\n' });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /Nobody has a password here: people sign in elsewhere \(PASSWORDS=off\)\./);
  const { rows } = await database.query(`select password_bcrypt, password_hash from users where username = 'made'`);
  assert.deepEqual(rows, [{ password_bcrypt: null, password_hash: null }]);
});

test('the doctor tells where nobody can sign in, and which hashes are left', async () => {
  const { found } = await diagnose({ DATABASE_URL: url, PASSWORDS: 'off', ISSUER: origin });
  assert.equal(found.get('user_no_way_in')?.severity, 'warning');
  assert.match(found.get('user_passwords_kept')?.value ?? '', /^\d+ accounts$/);
  const well = await diagnose({ DATABASE_URL: url, ...env, ISSUER: origin });
  assert.ok(!well.found.has('user_no_way_in'));
  const away = { SIGN_IN_URL: site, SIGN_IN_JWKS: 'http://127.0.0.1:1/jwks' };
  const missing = await diagnose({ DATABASE_URL: url, ...away, ISSUER: origin });
  assert.match(missing.found.get('website_keys')?.what ?? '', /cannot be fetched/);
});

test('beside a provider the page offers both; one provider alone is gone to at once, but not again by itself', async () => {
  const register = `select register_provider(name => 'acme', issuer => 'http://127.0.0.1:1', client_id => 'x', client_secret => 'of-the-client-there')`;
  await database.query(register);
  const page = await new Browser(origin).visit(`/authorize?${authorizationQuery()}`);
  assert.match(page.text, /id="website"[\s\S]*value="acme"/);
  assert.doesNotMatch(page.text, /type="password"/);
  const alone = await startLatchkey({ PASSWORDS: 'off' }, url);
  const browser = new Browser(alone.origin);
  const away = await browser.visit(`/authorize?${authorizationQuery()}`);
  assert.equal(away.status, 503);
  const [, retry = ''] = /id="retry" href="([^"]+)"/.exec(away.text) ?? assert.fail(away.text);
  assert.match((await browser.visit(retry.replaceAll('&amp;', '&'))).text, /value="acme"/);
  await database.query(`delete from providers where name = 'acme'`);
});
