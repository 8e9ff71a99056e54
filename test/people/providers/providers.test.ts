import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Browser, type Page } from '../../support/browser.ts';
import { authorizationQuery, codeIn, getUser, redeem, signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { startProvider } from '../../support/openid-provider.ts';
import { answerOf, authorizeAt, pressButton, problemOn, registerFake, signInAt } from '../../support/providers.ts';
import { setUpApp } from '../../support/second-factor.ts';

const { origin, database, deps, logged, url } = await startLatchkey();
const op = await startProvider({ path: '/realms/staff' });
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);

beforeEach(async () => {
  op.reset();
  await database.query('delete from providers');
  await database.query('delete from identities');
  await database.query(`delete from users where source <> 'here'`);
});

const link = (username: string, subject = 'ada-at-acme') =>
  database.query('select link_identity($1, $2, $3)', [username, op.issuer, subject]);

async function token(page: Page, browser: Browser): Promise<unknown> {
  const answer = page.location === undefined ? await browser.submit(page, 'id="allow"') : page;
  return (await redeem(origin, codeIn(answer))).body['access_token'];
}

/** To consent, or with an earlier one to the application. */
const goesOn = ({ text, location = '' }: Page) => /id="allow"/.test(text) || /[?&]code=/.test(location);

test('a person whose identity is linked signs in at the provider and comes back to the application', async () => {
  await registerFake(database, op, { title: 'Acme Staff' });
  await link('alice');
  const browser = new Browser(origin);
  const page = await authorizeAt(browser);
  assert.match(page.text, /Photo Printer/);
  const { body } = await getUser(origin, await token(page, browser));
  assert.equal(body['username'], 'alice');
  const [session] = (await database.query('select methods from sessions')).rows.slice(-1);
  assert.deepEqual(session.methods, ['provider']);
});

test('a wrong code says that the password was right where one was typed, and to change it where there is one', async () => {
  await registerPeople(database, ['zoe']);
  await registerFake(database, op);
  await link('zoe');
  const zoe = await signedInBrowser(origin, 'zoe');
  await setUpApp(zoe);
  const stranger = new Browser(origin);
  assert.equal((await stranger.submit(await signInAt(stranger), 'id="verify"', { code: '000000' })).status, 401);
  const activity = async () => (await zoe.visit('/account/activity')).text;
  const known = /wrong code<\/strong>.*The password was right/;
  assert.match(await activity(), /wrong code/);
  assert.doesNotMatch(await activity(), known, 'the first step was at the provider');
  await database.query(`insert into audit_events (event, user_id, detail, request_id)
    select 'sign_in_refused', user_id, 'second factor: change of the password', 'r' from users where username = 'zoe'`);
  assert.match(await activity(), known);
  await database.query("update users set password_bcrypt = null, password_hash = null where username = 'zoe'");
  assert.doesNotMatch(await activity(), /The password was right|#password/);
});

test('the request to the provider has PKCE, a nonce, and an address of return of its own', async () => {
  await registerFake(database, op, { scopes: ['openid', 'email'] });
  const sent = (await pressButton(new Browser(origin))).searchParams;
  assert.equal(sent.get('redirect_uri'), `${origin}/login/provider/acme/callback`);
  assert.equal(sent.get('response_type'), 'code');
  assert.equal(sent.get('client_id'), 'latchkey');
  assert.equal(sent.get('scope'), 'openid email');
  assert.equal(sent.get('code_challenge_method'), 'S256');
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(sent.get(name) ?? '', /^[\w-]{32,}$/, name);
});

test('an unknown identity gets no account where people are registered, and a way on', async () => {
  await registerFake(database, op);
  const browser = new Browser(origin);
  op.claims = { email: 'alice@example.com', email_verified: true };
  const page = await authorizeAt(browser);
  assert.equal(page.status, 403);
  assert.equal(problemOn(page), 'no_account');
  const [, href = ''] = /id="retry" href="([^"]+)"/.exec(page.text) ?? [];
  const again = await browser.visit(href.replaceAll('&amp;', '&'));
  assert.match(again.text, /id="login"/);
  const back = await browser.submit(again, 'id="login"', { username: 'alice', password });
  assert.ok(goesOn(back), 'the authorization request was lost');
});

test('an unknown identity gets an account where people are created, and the same one the next time', async () => {
  await registerFake(database, op, { people: 'created' });
  op.claims = { email: 'ada@acme.example', email_verified: true, name: 'Ada Lovelace', preferred_username: 'ada' };
  const browser = new Browser(origin);
  const first = await getUser(origin, await token(await authorizeAt(browser), browser));
  assert.equal(first.body['username'], 'ada');
  assert.equal(first.body['email'], 'ada@acme.example');
  assert.equal(first.body['name'], 'Ada Lovelace');
  const other = new Browser(origin);
  op.claims = { ...op.claims, name: 'Ada King' };
  const second = await getUser(origin, await token(await authorizeAt(other), other));
  assert.equal(second.body['sub'], first.body['sub']);
  assert.equal(second.body['name'], 'Ada King', 'the source of the account speaks for it');
  const { rows } = await database.query(`select source, is_admin from users where username = 'ada'`);
  assert.deepEqual(rows, [{ source: 'provider:acme', is_admin: false }]);
});

test('a username that somebody has gets a suffix, and one that is an address only its local part', async () => {
  await registerFake(database, op, { people: 'created' });
  op.claims = { preferred_username: 'alice' };
  assert.equal((await signInAt(new Browser(origin))).status, 200);
  op.claims = { sub: 'another', preferred_username: 'ceo@example.com' };
  assert.equal((await signInAt(new Browser(origin))).status, 200);
  const { rows } = await database.query(`select username from users where source = 'provider:acme' order by user_id`);
  assert.match(rows[0].username, /^alice-\w{4}$/);
  assert.equal(rows[1].username, 'ceo');
});

test('what the ID token lacks is asked at the userinfo endpoint', async () => {
  await registerFake(database, op, { people: 'created' });
  op.userinfo = { sub: 'ada-at-acme', email: 'ada@acme.example', email_verified: true, preferred_username: 'ada' };
  await signInAt(new Browser(origin));
  const { rows } = await database.query(`select username, email, email_verified from users where source <> 'here'`);
  assert.deepEqual(rows, [{ username: 'ada', email: 'ada@acme.example', email_verified: true }]);
});

test('domains decide who gets an account, by the verified address, and not who signs in', async () => {
  await registerFake(database, op, { people: 'created', domains: ['acme.example'] });
  for (const claims of [
    {},
    { email: 'ada@acme.example' },
    { email: 'ada@acme.example', email_verified: 'perhaps' },
    { email: 'ada@acme.example.evil.example', email_verified: true },
    { email: '"@acme.example"@evil.example', email_verified: true },
  ]) {
    op.claims = claims;
    assert.equal(problemOn(await signInAt(new Browser(origin))), 'foreign_domain', JSON.stringify(claims));
  }
  op.claims = { email: 'ada@ACME.example', email_verified: true };
  assert.equal(problemOn(await signInAt(new Browser(origin))), undefined);
  op.claims = {};
  assert.equal(problemOn(await signInAt(new Browser(origin))), undefined, 'who has an account keeps it');
});

test('a person connects an account with the password, sees it on the account page, signs in with it, and removes it', async () => {
  await registerFake(database, op, { title: 'Acme Staff' });
  op.claims = { email: 'ada@acme.example' };
  const browser = await signedInBrowser(origin);
  const account = await browser.visit('/account/security');
  assert.match(account.text, /href="\/account\/connect\/acme"/);
  const form = await browser.visit('/account/connect/acme');
  const wrong = await browser.submit(form, 'id="connect"', { password: 'not the password' });
  assert.equal(wrong.status, 400);
  const sent = await browser.submit(form, 'id="connect"', { password });
  const back = await browser.visit(await answerOf(new URL(sent.location ?? '')));
  assert.match(back.text, /Acme Staff[\s\S]*ada@acme\.example[\s\S]*Never used/);
  const other = new Browser(origin);
  assert.equal(problemOn(await signInAt(other)), undefined);
  assert.match((await other.visit('/account')).text, /Alice|alice/);
  const events = await database.query(
    `select event from audit_events where event like 'identity%' order by happened_at`,
  );
  const removed = await browser.submit(await browser.visit('/account/security'), 'unlink');
  assert.doesNotMatch(removed.text, /ada@acme\.example/);
  assert.equal(problemOn(await signInAt(new Browser(origin))), 'no_account');
  const after = await database.query(
    `select event from audit_events where event like 'identity%' order by happened_at`,
  );
  assert.deepEqual(events.rows, [{ event: 'identity_linked' }]);
  assert.deepEqual(after.rows, [{ event: 'identity_linked' }, { event: 'identity_unlinked' }]);
});

test('who becomes an administrator signs in by what an operator has linked, and by nothing that was linked before', async () => {
  await registerFake(database, op);
  const browser = await signedInBrowser(origin);
  const form = await browser.visit('/account/connect/acme');
  const sent = await browser.submit(form, 'id="connect"', { password });
  await browser.visit(await answerOf(new URL(sent.location ?? '')));
  const enters = async () => problemOn(await signInAt(new Browser(origin)));
  assert.equal(await enters(), undefined);
  const setAdmin = (is_admin: boolean) =>
    database.query(`update users set is_admin = $1 where username = 'alice'`, [is_admin]);
  await setAdmin(true);
  assert.equal(await enters(), 'no_account');
  await setAdmin(false);
  assert.equal(await enters(), undefined);
  await setAdmin(true);
  await link('alice');
  assert.equal(await enters(), undefined);
  await setAdmin(false);
});

test('several providers are several buttons, in the order of their registration', async () => {
  await registerFake(database, op, { title: 'Acme & Söhne' });
  await registerFake(database, op, { name: 'second', issuer: `${op.issuer}/second`, title: 'Zweiter' });
  const { text } = await new Browser(origin).visit('/login');
  const buttons = [...text.matchAll(/<button class="provider full" name="provider" value="(\w+)">/g)].map(
    ([, one]) => one,
  );
  assert.deepEqual(buttons, ['acme', 'second']);
  assert.match(text, /Acme &amp; Söhne/);
});

test('prompt=login and max_age are passed on, and the answer of the application has the time of the provider', async () => {
  await registerFake(database, op);
  await link('alice');
  const browser = await signedInBrowser(origin);
  const sent = (await pressButton(browser, authorizationQuery({ prompt: 'login' }))).searchParams;
  assert.equal(sent.get('prompt'), 'login');
  assert.equal(sent.get('max_age'), '0');
  const later = (await pressButton(new Browser(origin), authorizationQuery({ max_age: '60' }))).searchParams;
  assert.equal(later.get('prompt'), null);
  assert.equal(later.get('max_age'), '60');
  const proven = new Browser(origin);
  const seen = Math.floor(Date.now() / 1000) - 40;
  op.claims = { auth_time: seen };
  assert.ok(goesOn(await authorizeAt(proven, { max_age: '60' })));
  const { rows } = await database.query(
    `select date_part('epoch', auth_time)::integer as auth_time from sessions order by created_at desc limit 1`,
  );
  assert.equal(rows[0].auth_time, seen);
});

test('a real sign-in fulfils max_age=0', async () => {
  await registerFake(database, op);
  await link('alice');
  assert.ok(goesOn(await authorizeAt(new Browser(origin), { max_age: '0' })));
});

test('whoever cancels at the provider sends the application access_denied, and without an application a page follows', async () => {
  await registerFake(database, op);
  op.redirect = { code: undefined, error: 'access_denied' };
  const { location = '' } = await authorizeAt(new Browser(origin));
  assert.equal(new URL(location).searchParams.get('error'), 'access_denied');
  assert.equal(new URL(location).searchParams.get('state'), 'the-state');
  const page = await signInAt(new Browser(origin));
  assert.equal(problemOn(page), 'cancelled');
  assert.match(page.text, /href="\/login\?again=1"/);
});

test('two instances complete a sign-in that began at the other one', async () => {
  await registerFake(database, op);
  await link('alice');
  const second = await startLatchkey({ ISSUER: origin }, url);
  const browser = new Browser(origin);
  const answer = new URL(await answerOf(await pressButton(browser)));
  const other = new Browser(second.origin);
  for (const [name, value] of browser.cookies()) other.setCookie(name, value);
  const page = await other.visit(answer.pathname + answer.search);
  assert.equal(problemOn(page), undefined, page.text);
});

test('the client secret is encrypted by the first who opens the sign-in page, and stands in no log', async () => {
  await registerFake(database, op);
  await new Browser(origin).visit('/login');
  const { rows } = await database.query('select client_secret, sealed_client_secret from providers');
  assert.equal(rows[0].client_secret, null);
  assert.ok(!rows[0].sealed_client_secret.includes('secret'));
  await link('alice');
  await signInAt(new Browser(origin));
  const [request] = op.seen('/token');
  const basic = Buffer.from(request?.authorization.replace('Basic ', '') ?? '', 'base64').toString();
  assert.equal(decodeURIComponent(basic.replaceAll('+', ' ')), `latchkey:${op.client_secret}`);
  assert.ok(logged.length > 0);
  for (const line of logged) assert.ok(!line.includes(op.client_secret));
  assert.ok(deps.config);
});
