import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { Browser } from '../../support/browser.ts';
import { authorizationQuery, codeIn, encode, getUser, post, redeem } from '../../support/flow.ts';
import { password, registerPeople, startLatchkey, startWithPrinter } from '../../support/latchkey.ts';
import { registerProvider } from '../../support/providers.ts';
import { answerTo, now, readRequest, returnWith, sentToWebsite, sharedSecret } from '../../support/website.ts';

const site = 'https://www.provider.example';
const env = { SIGN_IN_URL: `${site}/oauth-sign-in`, SIGN_IN_SECRET: sharedSecret };
const { origin, database, url, logged } = await startWithPrinter(env);

const ada = {
  sub: 'ada-1',
  username: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@provider.example',
  email_verified: true,
};

const profileOf = async (code: string) => {
  const { body } = await redeem(origin, code);
  return (await getUser(origin, body['access_token'])).body;
};

test('the browser takes a signed request to the website and its answer back, and the application gets a code', async () => {
  const { browser, asked, location } = await sentToWebsite(origin, { ui_locales: 'de', login_hint: 'ada' });
  const { client_id, client_name, return_to, ui_locales, login_hint, iat = 0, exp = 0 } = asked;
  assert.deepEqual([client_id, client_name], ['photo-printer', 'Photo Printer']);
  assert.deepEqual([return_to, ui_locales, login_hint], [`${origin}/login/return`, 'de', 'ada']);
  assert.equal(exp - iat, 600);
  assert.match(asked.nonce, /^[\w-]{32}$/);
  assert.ok(location.startsWith(`${site}/oauth-sign-in?request=ey`));

  const consent = await returnWith(browser, answerTo(asked, ada));
  assert.match(consent.text, /<html lang="de"/);
  const profile = await profileOf(codeIn(await browser.submit(consent, 'id="allow"')));
  assert.deepEqual([profile['sub'], profile['username'], profile['name']], ['ada-1', 'ada', 'Ada Lovelace']);
  assert.deepEqual([profile['email'], profile['email_verified']], ['ada@provider.example', true]);
});

test('the request tells the website nothing else', async () => {
  const { asked, location } = await sentToWebsite(origin, { prompt: 'login consent', max_age: '60', acr_values: '2' });
  const names = [
    'acr_values',
    'aud',
    'client_id',
    'client_name',
    'exp',
    'iat',
    'iss',
    'max_age',
    'nonce',
    'prompt',
    'return_to',
  ];
  assert.deepEqual(Object.keys(asked).sort(), names);
  assert.deepEqual([asked['prompt'], asked['max_age'], asked['acr_values']], ['login', 60, '2']);
  const [name = ''] = new URL(location).searchParams.keys();
  assert.deepEqual([...new URL(location).searchParams.keys()], [name]);
  assert.equal(decodeProtectedHeader(new URL(location).searchParams.get(name) ?? '').alg, 'ES256');
});

test('the website may send a form, which arrives without cookies and leads to the same page', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const stranger = new Browser(origin);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: site, 'sec-fetch-site': 'cross-site' };
  const padding = 'x'.repeat(5400);
  const body = encode({ response: answerTo(asked, { sub: 'form-1', padding }) });
  const posted = await stranger.open('/login/return', { method: 'POST', headers, body });
  assert.equal(posted.status, 302);
  const page = await browser.visit(posted.location ?? '');
  assert.match(page.text, /id="allow"/);
  assert.doesNotMatch(page.url, /ey/);
});

test('the JWT is in no address of a page, and in no line of the log', async () => {
  const { browser, asked } = await sentToWebsite(origin, { prompt: 'login' });
  const response = answerTo(asked, { sub: 'log-1' });
  const first = await browser.open(`/login/return?${encode({ response })}`);
  assert.equal(first.headers.get('referrer-policy'), 'no-referrer');
  const page = await browser.visit(first.location ?? '');
  assert.match(page.text, /id="allow"/);
  assert.doesNotMatch(page.url, /ey/);
  const signature = response.split('.')[2] ?? assert.fail();
  assert.ok(!logged.join('').includes(signature) && !page.text.includes(signature));
});

test('a second sign-in finds the same account, and takes over what the website says now', async () => {
  for (const name of ['Grace', 'Grace Hopper']) {
    const { browser, asked } = await sentToWebsite(origin);
    await returnWith(browser, answerTo(asked, { sub: 'grace-1', username: 'grace', name, secret_claim: 'dropped' }));
  }
  const { rows } = await database.query(
    `select username, name, source, password_bcrypt from users where subject = 'grace-1'`,
  );
  assert.deepEqual(rows, [{ username: 'grace', name: 'Grace Hopper', source: 'website', password_bcrypt: null }]);
});

test('two first sign-ins of one person at two instances make one account', async () => {
  const second = await startLatchkey(env, url);
  const both = [await sentToWebsite(origin), await sentToWebsite(second.origin)];
  const pages = await Promise.all(
    both.map(({ browser, asked }) => returnWith(browser, answerTo(asked, { sub: 'twice-1', username: 'twice' }))),
  );
  for (const page of pages) assert.match(page.text, /id="allow"/);
  const { rowCount } = await database.query(`select from users where subject = 'twice-1'`);
  assert.equal(rowCount, 1);
});

test('a sign-in begins at one instance and ends at another', async () => {
  const { origin: second } = await startLatchkey({ ...env, ISSUER: origin }, url);
  const { browser, asked } = await sentToWebsite(origin);
  const other = new Browser(second);
  for (const [name, value] of browser.cookies()) other.setCookie(name, value);
  const page = await returnWith(other, answerTo(asked, { sub: 'moved-1' }));
  assert.match(page.text, /id="allow"/);
});

test('passwords stay beside the website, and the session says which way was used', async () => {
  const browser = new Browser(origin);
  const login = await browser.visit(`/authorize?${authorizationQuery()}`);
  assert.match(login.text, /id="website"[\s\S]*www\.provider\.example/);
  const consent = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.match(consent.text, /id="allow"/);
  const sent = await sentToWebsite(origin);
  const claims = { sub: 'strong-1', amr: ['pwd', 'otp'], acr: '2', auth_time: now() - 100 };
  await returnWith(sent.browser, answerTo(sent.asked, claims));
  const { rows } = await database.query(
    `select methods, data -> 'acr' as acr, data -> 'amr' as amr, extract(epoch from auth_time)::integer as auth_time
     from sessions join users using (user_id) where subject = 'strong-1'`,
  );
  assert.deepEqual(rows, [{ methods: ['website'], acr: '2', amr: ['pwd', 'otp'], auth_time: claims.auth_time }]);
});

test('who cancels at the website returns to the application with access_denied', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const page = await browser.visit(`/login/return?${encode({ nonce: asked.nonce, error: 'access_denied' })}`);
  const answer = new URL(page.location ?? '').searchParams;
  assert.deepEqual(
    [answer.get('error'), answer.get('state'), answer.get('iss')],
    ['access_denied', 'the-state', origin],
  );
});

test('any other error of the website is a page with a way on', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const error = 'evil <script>';
  const page = await browser.visit(`/login/return?${encode({ nonce: asked.nonce, error })}`);
  assert.equal(page.status, 400);
  assert.ok(!page.text.includes(error));
  assert.match(page.text, /href="\/authorize\?response_type=code[^"]*">Try again/);
});

test('who cancels on the way to a page of this server gets a page, too', async () => {
  const browser = new Browser(origin);
  const login = await browser.visit('/account');
  const sent = await browser.submit(login, 'id="website"');
  const { nonce } = await readRequest(origin, sent.location);
  const page = await browser.visit(`/login/return?${encode({ nonce, error: 'access_denied' })}`);
  assert.equal(page.status, 403);
  assert.match(page.text, /href="\/login\?to=%2Faccount">Try again/);
});

test('a reload, or a second click, leads to a page from which the person can go on', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const response = answerTo(asked, { sub: 'reload-1' });
  await returnWith(browser, response);
  const again = await returnWith(browser, response);
  assert.equal(again.status, 400);
  const [, path = ''] = /href="(\/authorize[^"]+)">Continue/.exec(again.text) ?? assert.fail(again.text);
  assert.match((await browser.visit(path.replaceAll('&amp;', '&'))).text, /id="allow"/);
});

test('signing out offers the website, and another account is asked for there', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const consent = await returnWith(browser, answerTo(asked, { sub: 'switch-1' }));
  const login = await browser.submit(consent, 'class="link"');
  const sent = await browser.submit(login, 'id="website"');
  assert.equal((await readRequest(origin, sent.location))['prompt'], 'select_account');
  assert.match((await browser.visit('/logout')).text, new RegExp(`href="${site}"`));
});

test('a page of this server can be reached by the website, too', async () => {
  const browser = new Browser(origin);
  const sent = await browser.submit(await browser.visit('/account'), 'id="website"');
  const asked = await readRequest(origin, sent.location);
  assert.equal(asked['client_id'], undefined);
  const account = await returnWith(browser, answerTo(asked, { sub: 'own-1', username: 'own' }));
  assert.equal(account.url, `${origin}/account`);
});

test('the GitHub-compatible endpoints lead there and back as well', async () => {
  const browser = new Browser(origin);
  const path = `/login/oauth/authorize?${authorizationQuery({ response_type: undefined })}`;
  const sent = await browser.submit(await browser.visit(path), 'id="website"');
  const asked = await readRequest(origin, sent.location);
  const consent = await returnWith(browser, answerTo(asked, { sub: 'hub-1' }));
  assert.match(consent.url, /\/login\/oauth\/authorize\?/);
  assert.match(consent.text, /id="allow"/);
});

test('prompt=none never leads to the website', async () => {
  const page = await new Browser(origin).visit(`/authorize?${authorizationQuery({ prompt: 'none' })}`);
  assert.equal(new URL(page.location ?? '').searchParams.get('error'), 'login_required');
});

test('a pushed request goes on with the answer of the website, which must fulfil what was pushed', async () => {
  const pushed = { ...Object.fromEntries(new URLSearchParams(authorizationQuery())), prompt: 'login' };
  const { body } = await post(`${origin}/par`, pushed);
  const query = encode({ client_id: 'photo-printer', request_uri: String(body['request_uri']) });
  const browser = new Browser(origin);
  const sent = await browser.submit(await browser.visit(`/authorize?${query}`), 'id="website"');
  const asked = await readRequest(origin, sent.location);
  assert.deepEqual([asked['prompt'], asked['client_name']], ['login', 'Photo Printer']);
  const consent = await returnWith(browser, answerTo(asked, { sub: 'pushed-1' }));
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
});

test('a username that somebody has gets a suffix, and an address that somebody has proved stays with them', async () => {
  await registerPeople(database, ['bob']);
  const { browser, asked } = await sentToWebsite(origin);
  const claims = { sub: 'bob-2', username: 'bob', email: 'bob@example.com', email_verified: true };
  await returnWith(browser, answerTo(asked, claims));
  const { rows } = await database.query(`select username, email_verified from users where subject = 'bob-2'`);
  assert.match(rows[0].username, /^bob-\w+$/);
  assert.equal(rows[0].email_verified, false);
});

test('the website is a way in that lets its people remove a connected account, and is none for people of other sources', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  await returnWith(browser, answerTo(asked, { sub: 'grace-9', username: 'grace' }));
  await registerProvider(database, {});
  await database.query(
    `insert into identities (issuer, subject, user_id)
     select 'https://login.acme.example', 'grace', user_id from users where subject = 'grace-9'`,
  );
  const page = await browser.visit('/account/security');
  await database.query("update users set source = 'provider:acme' where subject = 'grace-9'");
  assert.equal((await browser.submit(page, 'unlink')).status, 409);
  await database.query("update users set source = 'website' where subject = 'grace-9'");
  await browser.submit(await browser.visit('/account/security'), 'unlink');
  assert.deepEqual((await database.query('select subject from identities')).rows, []);
  await database.query('delete from providers');
});
