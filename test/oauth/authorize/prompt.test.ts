import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { authorizationQuery, codeIn, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
const request = (prompt: string, changes = {}) => `/authorize?${authorizationQuery({ prompt, ...changes })}`;
const credentials = { username: 'alice', password };
const isLogin = (page: Page) => page.location === undefined && page.text.includes('id="login"');
const isConsent = (page: Page) => page.location === undefined && page.text.includes('id="allow"');

/** alice, signed in, with a grant that is remembered: nothing but the prompt stands between her and the code. */
async function aliceWithGrant(): Promise<Browser> {
  const alice = await signedInBrowser(origin);
  await obtainCode(alice);
  return alice;
}

test('prompt=login asks a signed-in user for the password, and continues once it is right', async () => {
  const alice = await aliceWithGrant();
  const login = await alice.visit(request('login'));
  assert.ok(isLogin(login));
  assert.match(login.text, /name="username" value="alice"/);
  const wrong = await alice.submit(login, 'id="login"', { username: 'alice', password: 'wrong' });
  assert.deepEqual([wrong.status, isLogin(wrong)], [401, true]);
  const code = codeIn(await alice.submit(wrong, 'id="login"', credentials));
  assert.equal((await redeem(origin, code)).status, 200);
});

test('prompt=login asks every time: neither the session, nor another tab, nor an earlier request replaces the password [A373]', async () => {
  const alice = await aliceWithGrant();
  codeIn(await alice.submit(await alice.visit(request('login')), 'id="login"', credentials));
  assert.ok(isLogin(await alice.visit(request('login'))), 'the same request once more');
  await alice.submit(await alice.visit(request('login', { state: 'other-tab' })), 'id="login"', credentials);
  assert.ok(isLogin(await alice.visit(request('login'))), 'after a sign-in for another request');
  for (const path of ['/login', '/login/oauth/login']) {
    assert.ok(isLogin(await alice.visit(`${path}?${authorizationQuery({ prompt: 'login' })}`)), path);
  }
});

test('under prompt=login, a consent form shown before the password was given has no effect [A373]', async () => {
  const alice = await aliceWithGrant();
  const [path, init] = formRequest(await alice.visit(request('consent')), 'id="allow"');
  const demanding = path.replace('prompt=consent', 'prompt=login+consent');
  assert.ok(isLogin(await alice.visit(demanding, init)));
  // with the form key of the session and a ticket that is worth nothing
  const body = String(init.body).replace(/ticket=[^&]*/, `ticket=${'x'.repeat(44)}`);
  assert.ok(isLogin(await alice.visit(demanding, { ...init, body })));
  // without the form key: the form may not be shown again without the password either
  const forged = String(init.body).replace(/csrf=[^&]*/, 'csrf=x');
  assert.ok(isLogin(await alice.visit(demanding, { ...init, body: forged })));
  assert.ok(codeIn(await alice.open(path, init)), 'for the request it was shown for it counts');
});

test('the consent form after the password is valid for its own request only, and for ten minutes', async (t) => {
  const alice = await signedInBrowser(origin);
  const afterPassword = async () =>
    alice.submit(await alice.visit(request('login consent')), 'id="login"', credentials);
  const first = await afterPassword();
  assert.ok(isConsent(first));
  const [path, init] = formRequest(first, 'id="allow"');
  assert.ok(isLogin(await alice.visit(path.replace('the-state', 'another-state'), init)));
  const { now } = Date;
  const clock = t.mock.method(Date, 'now', () => now() + 11 * 60_000);
  assert.ok(isLogin(await alice.visit(path, init)), 'after eleven minutes');
  clock.mock.restore();
  assert.ok(codeIn(await alice.visit(path, init)));
});

test('a consent form with nothing ticked is shown again without a second password prompt', async () => {
  const alice = await signedInBrowser(origin);
  const consent = await alice.submit(await alice.visit(request('login consent')), 'id="login"', credentials);
  const again = await alice.submit(consent, 'id="allow"', { scope: undefined });
  assert.deepEqual([again.status, isConsent(again)], [400, true]);
  assert.ok(codeIn(await alice.submit(again, 'id="allow"', { scope: 'user:name' })));
});

test('sending the consent form empty does not prolong the ten minutes for which the password counts [A373]', async (t) => {
  const alice = await signedInBrowser(origin);
  const consent = await alice.submit(await alice.visit(request('login consent')), 'id="login"', credentials);
  const { now } = Date;
  const clock = t.mock.method(Date, 'now', () => now() + 9 * 60_000);
  const again = await alice.submit(consent, 'id="allow"', { scope: undefined });
  assert.ok(isConsent(again));
  clock.mock.mockImplementation(() => now() + 11 * 60_000);
  assert.ok(
    isLogin(await alice.submit(again, 'id="allow"', { scope: 'user:name' })),
    'eleven minutes after the password',
  );
  clock.mock.restore();
  assert.ok(codeIn(await alice.submit(again, 'id="allow"', { scope: 'user:name' })));
});

test('with prompt=login, a failed password ends nothing, and another person who signs in replaces the session whole [A373]', async () => {
  const alice = await aliceWithGrant();
  const wrong = await alice.submit(await alice.visit(request('login')), 'id="login"', {
    ...credentials,
    password: 'x',
  });
  assert.equal(wrong.status, 401);
  assert.match((await alice.visit('/account')).text, /alice Liddell/);
  const old = new Browser(origin);
  for (const [name, value] of alice.cookies()) old.setCookie(name, value);
  await alice.submit(wrong, 'id="login"', { username: 'bob', password });
  assert.match((await alice.visit('/account')).text, /bob Liddell/);
  assert.match((await old.visit('/account')).text, /id="login"/, 'alice’s session is gone');
});

test('with prompt=login, a signed-out user gives the password once, and may sign in as anybody', async () => {
  const stranger = new Browser(origin);
  const consent = await stranger.submit(await stranger.visit(request('login')), 'id="login"', {
    username: 'bob',
    password,
  });
  assert.ok(isConsent(consent));
  assert.match(consent.text, /bob Liddell/);
  assert.ok(codeIn(await stranger.submit(consent, 'id="allow"')));
});

test('prompt=select_account offers the signed-in account and any other', async () => {
  const alice = await aliceWithGrant();
  const choice = await alice.visit(request('select_account'));
  assert.ok(isLogin(choice));
  assert.match(choice.text, /Continue as[\s\S]*alice Liddell/);
  assert.deepEqual(
    choice.text.match(/id="\w+"[^>]* autofocus/g)?.map((tag) => tag.slice(0, 13)),
    ['id="continue"'],
  );
  assert.ok(codeIn(await alice.submit(choice, 'id="continue"')), 'without the password');
  const consent = await alice.submit(choice, 'id="login"', { username: 'bob', password });
  const code = codeIn(isConsent(consent) ? await alice.submit(consent, 'id="allow"') : consent);
  const { rows } = await database.query(
    'select username from authorization_codes join grants using (grant_id) join users using (user_id) order by code_id desc limit 1',
  );
  assert.deepEqual([rows[0].username, code.startsWith('lk_ac_')], ['bob', true]);
});

test('prompt=select_account does not ask a signed-out user to choose twice', async () => {
  const alice = new Browser(origin);
  const login = await alice.visit(request('select_account'));
  assert.doesNotMatch(login.text, /id="continue"/);
  assert.ok(codeIn(await alice.submit(login, 'id="login"', credentials)));
});

test('an error that arises during sign-in is returned to the client as if it had existed from the start', async () => {
  await registerPrinter(database, { client_id: 'narrowing' });
  const alice = await signedInBrowser(origin);
  const login = await alice.visit(request('login', { client_id: 'narrowing' }));
  await registerPrinter(database, { client_id: 'narrowing', scopes: ['repo:read'] });
  const { location } = await alice.submit(login, 'id="login"', credentials);
  assert.match(location ?? '', /^https:\/\/printer\.example\/callback\?error=invalid_scope&/);
});

test('prompt values combine: the password page, the account page and the consent page are each shown', async () => {
  const alice = await aliceWithGrant();
  const chosen = await alice.submit(await alice.visit(request('select_account consent')), 'id="continue"');
  assert.ok(isConsent(chosen));
  const login = await alice.visit(request('consent login select_account'));
  assert.doesNotMatch(login.text, /id="continue"/, 'the password is demanded, so nobody goes on without it');
  const [path, init] = formRequest(login, 'id="login"', { continue: '1' });
  assert.equal((await alice.open(path, init)).status, 401);
  assert.ok(isConsent(await alice.submit(login, 'id="login"', credentials)));
});

test('choosing another account on the consent page returns to the same request, without a loop', async () => {
  const alice = await signedInBrowser(origin);
  const consent = await alice.submit(await alice.visit(request('login consent')), 'id="login"', credentials);
  const login = await alice.submit(consent, 'action="/logout?');
  assert.ok(isConsent(await alice.submit(login, 'id="login"', { username: 'bob', password })));
});

test('the GitHub-compatible endpoints support prompt as well', async () => {
  const alice = await aliceWithGrant();
  const path = `/login/oauth${request('select_account')}`;
  // their consent page says that the username is part of every answer, so a grant from /authorize does not answer it
  const first = await alice.submit(await alice.visit(path), 'id="continue"');
  assert.ok(codeIn(await alice.submit(first, 'id="allow"')));
  assert.ok(codeIn(await alice.submit(await alice.visit(path), 'id="continue"')));
  const login = await alice.visit(`/login/oauth${request('login consent')}`);
  const consent = await alice.submit(login, 'id="login"', credentials);
  assert.ok(codeIn(await alice.submit(consent, 'id="allow"')));
});

for (const prompt of [
  'junk',
  'login junk',
  'none login',
  'none select_account',
  'Login',
  ' login',
  'login,consent',
  'none none consent',
]) {
  test(`prompt=${prompt} is refused with invalid_request, and the description lists the allowed values`, async () => {
    const alice = await aliceWithGrant();
    const { location } = await alice.open(request(prompt));
    const { error, error_description } = Object.fromEntries(new URL(location ?? '').searchParams);
    assert.equal(error, 'invalid_request');
    assert.match(error_description ?? '', /^prompt.*none/);
  });
}

/** As if the person had signed in so many seconds ago. */
const ageSessions = (seconds: number) =>
  database.query('update sessions set auth_time = now() - make_interval(secs => $1)', [seconds]);

test('max_age asks for the password of a person who signed in longer ago, and is content with any later proof [OpenID Connect Core §3.1.2.1]', async () => {
  const alice = await aliceWithGrant();
  const asking = (max_age: string) => `/authorize?${authorizationQuery({ max_age })}`;
  await ageSessions(100);
  assert.ok(codeIn(await alice.visit(asking('120'))));
  // within the second of tolerance, or not
  await ageSessions(120.5);
  assert.ok(codeIn(await alice.visit(asking('120'))));
  await ageSessions(130);
  const login = await alice.visit(asking('120'));
  assert.ok(isLogin(login));
  assert.match(login.text, /name="username" value="alice"/);
  codeIn(await alice.submit(login, 'id="login"', credentials));
  assert.ok(codeIn(await alice.visit(asking('120'))), 'once is enough');
});

test('max_age=0 succeeds after a real sign-in, in the same answer, and only after it', async () => {
  const alice = await aliceWithGrant();
  await ageSessions(60);
  const path = `/authorize?${authorizationQuery({ max_age: '0' })}`;
  const login = await alice.visit(path);
  assert.ok(isLogin(login));
  codeIn(await alice.submit(login, 'id="login"', credentials));
  const stranger = new Browser(origin);
  codeIn(await stranger.submit(await stranger.visit(path), 'id="login"', credentials));
});

test('with prompt=none, an old sign-in is login_required; a max_age that is no number is refused', async () => {
  const alice = await aliceWithGrant();
  await ageSessions(60);
  const errorOf = async (changes: Record<string, string>) =>
    new URL((await alice.open(`/authorize?${authorizationQuery(changes)}`)).location ?? '').searchParams.get('error');
  assert.equal(await errorOf({ max_age: '10', prompt: 'none' }), 'login_required');
  for (const max_age of ['-1', '1.5', 'abc', '9'.repeat(11)]) {
    assert.equal(await errorOf({ max_age }), 'invalid_request', max_age);
  }
  assert.ok(codeIn(await alice.visit(`/authorize?${authorizationQuery({ max_age: '3600', prompt: 'none' })}`)));
});

test('a consent form that max_age let appear counts for ten minutes', async () => {
  const alice = await aliceWithGrant();
  const asking = { max_age: '3600', prompt: 'consent' };
  const form = await alice.visit(`/authorize?${authorizationQuery(asking)}`);
  assert.ok(isConsent(form));
  codeIn(await alice.submit(form, 'id="allow"'));
});

test('switching accounts in the GitHub-compatible flow returns to that flow', async () => {
  const browser = await signedInBrowser(origin);
  const query = authorizationQuery({ response_type: undefined, prompt: 'consent' });
  const consent = await browser.visit(`/login/oauth/authorize?${query}`);
  const login = await browser.submit(consent, 'action="/login/oauth/logout');
  const again = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.ok(codeIn(await browser.submit(again, 'id="allow"')));
});
