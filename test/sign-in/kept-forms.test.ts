import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAnyClient } from '../../src/clients/clients.sql.ts';
import { Browser, formRequest, type Page } from '../support/browser.ts';
import { authorizationQuery, codeIn, redeem, signedInBrowser } from '../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const secret = 'a-session-secret-of-at-least-32-characters';
const SESSION_SECRET = `${secret},another-session-secret-of-32-characters`;
const { origin, database, url } = await startLatchkey({
  REGISTRATION: 'open',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'id@example.com',
  SESSION_SECRET,
});
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database, { scopes: ['user', 'repo:read', 'repo:write'] });
await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
await database.query("update users set email_verified = true, email = username || '@example.com'");

const path = '/developer/applications/photo-printer';
const save = 'name="made_from"';
const endSessions = () => database.query('delete from sessions');
const signIn = (browser: Browser, page: Page, username = 'alice') =>
  browser.submit(page, 'id="login"', { username, password });
const isTicked = (page: Page, scope: string) => new RegExp(`value="${scope}" checked`).test(page.text);

async function sentTooLate(form: string, changes: Record<string, string | string[] | undefined>, button = save) {
  const browser = await signedInBrowser(origin);
  const page = await browser.visit(form);
  await endSessions();
  return { browser, login: await browser.submit(page, button, changes) };
}

test('a form of the console is there again after the sign-in, with its input, and nothing is saved before it is sent', async () => {
  const name = 'Photo <Press> ünd "more"';
  const { browser, login } = await sentTooLate(`${path}/registration`, {
    name,
    redirect_uris: 'https://printer.example/a\r\nhttps://b',
  });
  assert.match(login.text, /Your session has ended/);
  const form = await signIn(browser, login);
  assert.match(form.text, /What you entered is still here; it is not saved yet/);
  assert.match(form.text, /value="Photo &lt;Press&gt; ünd &#34;more&#34;"/);
  assert.match(form.text, /https:\/\/printer\.example\/a\r\nhttps:\/\/b/);
  assert.equal((await findAnyClient(database, printer.client_id))?.name, printer.name);
  await browser.submit(form, save, { redirect_uris: printer.redirect_uri });
  assert.equal((await findAnyClient(database, printer.client_id))?.name, name);
  await browser.submit(await browser.visit(`${path}/registration`), save, { name: printer.name });
});

test('so are a new application, the security, a profile, notices and permissions', async () => {
  const typed = { name: 'Post Cards', confidential: 'false', refreshes: 'false' };
  const fresh = await sentTooLate('/developer/applications/new', typed);
  const application = await signIn(fresh.browser, fresh.login);
  assert.match(application.text, /value="Post Cards"/);
  assert.match(application.text, /id="public"[^>]* checked/);
  assert.match(application.text, /id="refreshes-not"[^>]* checked/);

  const binding = await sentTooLate(`${path}/security`, { token_binding: 'dpop' });
  assert.match((await signIn(binding.browser, binding.login)).text, /id="token_binding-dpop"[^>]* checked/);

  const profile = await sentTooLate(
    '/account',
    { name: 'Ally', current_password: password },
    'name="current_password"',
  );
  assert.match((await signIn(profile.browser, profile.login)).text, /value="Ally"/);

  const notices = await sentTooLate('/account', { wants_notices: undefined }, 'id="save-notices"');
  const account = await signIn(notices.browser, notices.login);
  assert.match(account.text, /id="wants_notices"/);
  assert.doesNotMatch(account.text, /id="wants_notices"[^>]* checked/);

  const consented = await signedInBrowser(origin);
  await consented.submit(await consented.visit(`/authorize?${authorizationQuery()}`), 'id="allow"');
  const grant = await sentTooLate('/account/applications/photo-printer', { scope: 'user:name' });
  const permissions = await signIn(grant.browser, grant.login);
  assert.deepEqual([isTicked(permissions, 'user:name'), isTicked(permissions, 'user:email')], [true, false]);
  await consented.visit('/account');
  await database.query('delete from grants');
});

test('so are those for administrators, to whose browser the pages are known, and to nobody else', async () => {
  await database.query("update users set is_admin = true where username = 'alice'");
  const scope = { name: 'notes:read', sentence: 'Read your notes' };
  const { browser, login } = await sentTooLate('/admin/scopes', scope, 'id="register"');
  assert.match(login.url, /\/login\?to=%2Fadmin%2Fscopes/);
  const form = await signIn(browser, login);
  assert.match(form.text, /value="notes:read"[\s\S]*value="Read your notes"/);
  assert.match((await browser.submit(form, 'id="register"')).text, /notes:read/);
  const { rows } = await database.query("select user_id from users where username = 'bob'");
  const others: [page: string, button: string, typed: Record<string, string>, shown: RegExp][] = [
    [`/admin/people/${rows[0].user_id}`, 'id="change"', { name: 'Bobby' }, /value="Bobby"/],
    ['/admin/scopes/notes:read', 'id="describe"', { sentence: 'Read notes' }, /value="Read notes"/],
    ['/admin/resources', 'id="register"', { resource: 'https://notes.example/' }, /value="https:\/\/notes\.example\/"/],
  ];
  for (const [page, button, typed, shown] of others) {
    const late = await sentTooLate(page, typed, button);
    assert.match((await signIn(late.browser, late.login)).text, shown, page);
  }
  await endSessions();
  assert.match((await browser.visit('/admin/people')).url, /\/login\?to=%2Fadmin%2Fpeople/);
  const mark = browser.cookies().get('administered') ?? '';
  const other = new Browser(origin);
  await other.visit('/login');
  for (const value of ['', mark, `${mark}x`]) {
    other.setCookie('administered', value);
    assert.equal((await other.visit('/admin/people')).status, 404);
  }
  await database.query("update users set is_admin = false where username = 'alice'");
});

test('no password, code, secret or form key is kept, and what is kept is sealed', async () => {
  const jwks = JSON.stringify({ keys: [{ kty: 'EC', d: 'private-half' }] });
  const { browser, login } = await sentTooLate(`${path}/security`, { token_binding: 'mac', jwks });
  const form = await signIn(browser, login);
  assert.match(form.text, /id="token_binding-mac"[^>]* checked/);
  assert.doesNotMatch(form.text, /private-half/);
  const pem = await sentTooLate(`${path}/security`, {
    token_binding: 'mac',
    jwks: '-----BEGIN EC PRIVATE KEY-----\nprivate-half',
  });
  assert.doesNotMatch((await signIn(pem.browser, pem.login)).text, /private-half/);
  const profile = await sentTooLate(
    '/account',
    { name: 'Ally', current_password: 'typed-password' },
    'name="current_password"',
  );
  assert.doesNotMatch(profile.login.text, /typed-password|Ally/);
  const account = await signIn(profile.browser, profile.login);
  assert.doesNotMatch(account.text, /typed-password/);
  for (const other of ['/account/password', '/account/delete', `${path}/secrets`]) {
    const stranger = await new Browser(origin).open(other, {
      method: 'POST',
      body: 'made_from=x&old_password=typed-password&code=123456',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(stranger.location, `/login?to=${encodeURIComponent(other)}`);
  }
});

test('another person who signs in then neither sees the input nor can send it', async () => {
  await database.query("update users set is_admin = true where username = 'bob'");
  const { browser, login } = await sentTooLate(`${path}/registration`, { name: 'Typed by Alice' });
  const form = await signIn(browser, login, 'bob');
  assert.equal(form.status, 200);
  assert.doesNotMatch(form.text, /Typed by Alice|What you entered is still here/);
  await database.query("update users set is_admin = false where username = 'bob'");
});

test('a value that was not sealed here, is for another form or has no owner changes nothing', async () => {
  const { browser, login } = await sentTooLate(`${path}/registration`, { name: 'Typed by Alice' });
  const kept = new URL(login.url).searchParams.get('kept') ?? '';
  await signIn(browser, login);
  for (const value of [`${kept.slice(0, -4)}AAAA`, 'x', '', 'x'.repeat(7000)]) {
    const page = await browser.visit(`${path}?kept=${value}`);
    assert.deepEqual([page.status, /Typed by Alice/.test(page.text)], [200, false]);
  }
  const other = await browser.visit(`${path}/security?kept=${kept}`);
  assert.doesNotMatch(other.text, /What you entered is still here/);
  const without = await sentTooLate(`${path}/registration`, { name: 'Typed by Alice', made_from: undefined });
  assert.equal(new URL(without.login.url).search, `?to=${encodeURIComponent(path)}`);
  const elsewhere = await new Browser(origin).visit(`/login?to=//evil.example&kept=${kept}`);
  assert.equal(new URL((await signIn(new Browser(origin), elsewhere)).url).origin, origin);
});

/** Up to what a body can have, with as much in it as possible. */
const noise = () => Array.from({ length: 210 }, () => `https://printer.example/${crypto.randomUUID()}`).join('\n');

test('a form that is too long for an address waits in its page for a sign-in in another tab', async () => {
  const redirect_uris = noise();
  const { browser, login: waiting } = await sentTooLate(`${path}/registration`, { name: 'Photo Press', redirect_uris });
  assert.deepEqual([waiting.status, new URL(waiting.url).search], [401, '']);
  assert.doesNotMatch(waiting.text, /Photo Press|https:\/\/printer/);
  // too early: it waits on
  const still = await browser.submit(waiting, 'id="go-on"');
  assert.equal(still.status, 401);
  const [, signIn_href = ''] = /id="sign-in"[^>]* href="([^"]*)"/.exec(still.text) ?? assert.fail(still.text);
  await signIn(browser, await browser.visit(signIn_href));
  const form = await browser.submit(still, 'id="go-on"');
  assert.equal(form.status, 200);
  assert.match(form.text, /What you entered is still here; it is not saved yet/);
  assert.match(form.text, /value="Photo Press"/);
  assert.ok(form.text.includes(redirect_uris));
  assert.equal((await findAnyClient(database, printer.client_id))?.name, printer.name);
  await browser.submit(form, save, { redirect_uris: printer.redirect_uri, name: printer.name });
});

test('so do a new application and the security, and nobody else gets to see them', async () => {
  const fresh = await sentTooLate('/developer/applications/new', { name: 'Post Cards', redirect_uris: noise() });
  await signIn(fresh.browser, await fresh.browser.visit('/login'), 'bob');
  const other = await fresh.browser.submit(fresh.login, 'id="go-on"');
  assert.doesNotMatch(other.text, /Post Cards|What you entered is still here/);
  const again = new Browser(origin);
  await signIn(again, await again.visit('/login'));
  assert.match((await again.submit(fresh.login, 'id="go-on"')).text, /value="Post Cards"/);

  const jwks = JSON.stringify({ keys: Array.from({ length: 240 }, () => ({ kid: crypto.randomUUID() })) });
  const security = await sentTooLate(`${path}/security`, { token_binding: 'dpop', jwks });
  await signIn(security.browser, await security.browser.visit('/login'));
  const form = await security.browser.submit(security.login, 'id="go-on"');
  assert.match(form.text, /id="token_binding-dpop"[^>]* checked/);
  assert.ok(form.text.includes(jwks.replaceAll('"', '&#34;')));
});

test('what a page sends that does not wait for this form is not repeated, and changes nothing', async () => {
  const { login: waiting } = await sentTooLate(`${path}/registration`, { redirect_uris: noise() });
  const [, kept = ''] = /name="kept" value="([^"]*)"/.exec(waiting.text) ?? [];
  const send = (to: string, value: string) =>
    new Browser(origin).open(to, { method: 'POST', body: new URLSearchParams({ kept: value }) });
  for (const value of [`${kept.slice(0, -4)}AAAA`, 'x'.repeat(15_000), '"><b>', '']) {
    assert.equal((await send(path, value)).location, `/login?to=${encodeURIComponent(path)}`);
  }
  assert.equal((await send('/account', kept)).location, '/login?to=%2Faccount');
});

test('input that is longer when it is written as JSON than it was when it was sent breaks no page', async () => {
  const browser = await signedInBrowser(origin);
  const [, made_from = ''] =
    /name="made_from" value="([^"]*)"/.exec((await browser.visit(`${path}/registration`)).text) ?? [];
  await endSessions();
  // a byte each, and six characters as JSON
  const body = `${new URLSearchParams({ made_from })}&name=${'\u0001'.repeat(14_000)}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const login = await browser.visit(path, { method: 'POST', body, headers });
  assert.equal((await signIn(browser, login)).status, 200);
});

test('what was changed while nobody was signed in is found when the form is sent', async () => {
  const { browser, login } = await sentTooLate(`${path}/registration`, { name: 'Photo Press' });
  await database.query("update clients set redirect_uris = '{https://printer.example/new}' where client_id = $1", [
    printer.client_id,
  ]);
  const refused = await browser.submit(await signIn(browser, login), save);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /data-field="redirect_uris"/);
  await registerPrinter(database, { scopes: ['user', 'repo:read', 'repo:write'] });
});

for (const changes of [{}, { max_age: '600' }, { prompt: 'login' }, { ui_locales: 'de' }]) {
  test(`a refusal on the consent page survives the end of the session, and is what is granted: ${JSON.stringify(changes)}`, async () => {
    await database.query('delete from grants');
    const request = `/authorize?${authorizationQuery({ scope: 'user repo:read', ...changes })}`;
    const browser = new Browser(origin);
    const consent = await signIn(browser, await browser.visit(request));
    assert.ok(isTicked(consent, 'user:email'));
    await endSessions();
    const login = await browser.submit(consent, 'id="allow"', { scope: ['user:name', 'repo:read'], duration: '30d' });
    assert.equal(login.status, 401);
    const again = await signIn(browser, login);
    assert.deepEqual([isTicked(again, 'user:email'), isTicked(again, 'repo:read')], [false, true]);
    assert.match(again.text, /id="duration-30d"[^>]* checked/);
    const answered = await browser.submit(again, 'id="allow"');
    const { body } = await redeem(origin, codeIn(answered));
    assert.equal(body['scope'], 'user:name repo:read');
  });
}

const lost = /Your choices could not be kept, so only required permissions are ticked/;

for (const prompt of ['', 'login']) {
  test(`a refusal that no address has room for ticks no box again, and says that one must choose again: prompt=${prompt}`, async () => {
    await database.query('delete from grants');
    await registerPrinter(database, { scopes: ['user', 'repo:read'], required_scopes: ['user:name'] });
    // three characters each
    const request = `/authorize?${authorizationQuery({ scope: 'user repo:read', state: '{'.repeat(3900), prompt })}`;
    const browser = new Browser(origin);
    const consent = await signIn(browser, await browser.visit(request));
    assert.doesNotMatch(consent.text, lost);
    await endSessions();
    const login = await browser.submit(consent, 'id="allow"', { scope: ['user:name', 'repo:read'], duration: '30d' });
    assert.match(login.text, /Your session has ended/);
    const again = await signIn(browser, login);
    assert.equal(again.status, 200);
    assert.match(again.text, lost);
    const ticked = ['user:name', 'user:email', 'repo:read'].map((scope) => isTicked(again, scope));
    assert.deepEqual(ticked, [true, false, false]);
    assert.match(again.text, /id="duration-once"[^>]* checked/);
    const answered = await browser.submit(again, 'id="allow"');
    assert.equal((await redeem(origin, codeIn(answered))).body['scope'], 'user:name');
    await registerPrinter(database, { scopes: ['user', 'repo:read', 'repo:write'] });
  });
}

test('a value that was not sealed here ticks no box of the consent page', async () => {
  await database.query('delete from grants');
  const browser = await signedInBrowser(origin);
  for (const value of ['x', '-', 'x'.repeat(5000), '"><b>']) {
    const page = await browser.visit(
      `/authorize?${authorizationQuery({ scope: 'user' })}&kept=${encodeURIComponent(value)}`,
    );
    assert.match(page.text, lost);
    assert.deepEqual([page.status, isTicked(page, 'user:email'), isTicked(page, 'user:name')], [200, false, false]);
  }
});

test('the refusal of one person is not that of another', async () => {
  await database.query('delete from grants');
  const request = `/authorize?${authorizationQuery({ scope: 'user' })}`;
  const browser = new Browser(origin);
  const consent = await signIn(browser, await browser.visit(request));
  await endSessions();
  const login = await browser.submit(consent, 'id="allow"', { scope: ['user:name'] });
  assert.ok(isTicked(await signIn(browser, login, 'bob'), 'user:email'));
});

test('a refusal survives a new session in another tab, where a request demands the password', async () => {
  await database.query('delete from grants');
  const browser = new Browser(origin);
  const consent = await signIn(browser, await browser.visit(`/authorize?${authorizationQuery({ prompt: 'login' })}`));
  await endSessions();
  await signIn(browser, await browser.visit('/login'));
  const login = await browser.submit(consent, 'id="allow"', { scope: ['user:name'] });
  const again = await signIn(browser, login);
  assert.ok(!isTicked(again, 'user:email'));
});

test('a change of the language keeps unticked boxes and the duration, and decides nothing', async () => {
  await database.query('delete from grants');
  const request = `/authorize?${authorizationQuery({ scope: 'user repo:read', ui_locales: 'en', state: 'a+b %41' })}`;
  const browser = new Browser(origin);
  let page = await signIn(browser, await browser.visit(request));
  const choose = async (language: string, changes: Record<string, string | string[] | undefined> = {}) => {
    const [, action = ''] =
      new RegExp(`formaction="([^"]*)" name="language" value="${language}"`).exec(page.text) ?? assert.fail(page.text);
    const [, init] = formRequest(page, 'id="allow"', { decision: undefined, language, ...changes });
    page = await browser.visit(action.replaceAll('&amp;', '&'), init);
    assert.deepEqual([page.status, new RegExp(`<html lang="${language}"`).test(page.text)], [200, true]);
  };
  await choose('de', { scope: ['user:name'], duration: 'once' });
  await choose('zh');
  assert.deepEqual([isTicked(page, 'user:email'), isTicked(page, 'repo:read')], [false, false]);
  assert.match(page.text, /id="duration-once"[^>]* checked/);
  assert.equal((await database.query('select * from grants')).rows.length, 0);
  const answered = await browser.submit(page, 'id="allow"');
  assert.equal(new URL(answered.location ?? '').searchParams.get('state'), 'a+b %41');
  assert.equal((await redeem(origin, codeIn(answered))).body['scope'], 'user:name');
});

test('a change of the language does not prolong the password that a request demands', async () => {
  const browser = new Browser(origin);
  const page = await signIn(browser, await browser.visit(`/authorize?${authorizationQuery({ prompt: 'login' })}`));
  const ticket = (text: string) => /name="ticket" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const [, action = ''] = /formaction="([^"]*)" name="language" value="de"/.exec(page.text) ?? [];
  const [, init] = formRequest(page, 'id="allow"', { decision: undefined, language: 'de' });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const german = await browser.visit(action.replaceAll('&amp;', '&'), init);
  assert.equal(ticket(german.text).slice(0, 5), ticket(page.text).slice(0, 5), 'the time of the first form');
  const forged = formRequest(page, 'id="allow"', { decision: undefined, language: 'de', ticket: 'x'.repeat(44) })[1];
  assert.match((await browser.open(action.replaceAll('&amp;', '&'), forged)).location ?? '', /\/authorize\?/);
});

test('another instance, also one with a newer first secret, opens what this one has sealed', async () => {
  const { browser, login } = await sentTooLate(`${path}/registration`, { name: 'Typed by Alice' });
  const rotated = await startLatchkey(
    { REGISTRATION: 'open', SESSION_SECRET: `newest-${secret},${SESSION_SECRET}` },
    url,
  );
  const there = new Browser(rotated.origin);
  const kept = new URL(login.url).search;
  const form = await signIn(there, await there.visit(`/login${kept}`));
  assert.match(form.text, /value="Typed by Alice"/);
  await signIn(browser, login);
});
