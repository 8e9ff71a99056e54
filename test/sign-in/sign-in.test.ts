import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../../src/lib/secrets.ts';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { authorizationQuery, codeIn, obtainCode, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database, deps } = await startLatchkey();
await lengthenWaits(database);
await registerPeople(database, ['alice', 'bob', 'carol', 'dave']);
await registerPrinter(database);
const request = `/authorize?${authorizationQuery()}`;
/** Wrong for certain, and no work for bcrypt. */
const tooLong = 'x'.repeat(73);
const forgetAttempts = () => database.query('delete from attempts');

test('an unknown username and a wrong password get the same page, which keeps the username', async () => {
  const texts = [];
  for (const username of ['alice', 'nobody']) {
    const browser = new Browser(origin);
    const page = await browser.submit(await browser.visit(request), 'id="login"', { username, password: 'wrong' });
    assert.equal(page.status, 401);
    assert.match(page.text, new RegExp(`value="${username}"`));
    texts.push(page.text.replaceAll(username, '').replaceAll(/value="[^"]*"|<code>[^<]*|href="[^"]*"/g, ''));
  }
  assert.equal(texts[0], texts[1]);
});

test('the sign-in page asks the database once, with a client as without one', async () => {
  for (const path of ['/login', `/login?${authorizationQuery()}`]) {
    const names: unknown[] = [];
    const { query } = deps.database;
    deps.database.query = ((statement: { name?: string }, ...rest: unknown[]) => {
      names.push(statement.name);
      return Reflect.apply(query, deps.database, [statement, ...rest]);
    }) as typeof query;
    const { text } = await new Browser(origin).visit(path);
    Object.assign(deps.database, { query });
    assert.deepEqual(names, ['find_sign_in_page']);
    assert.equal(text.includes('Photo Printer'), path !== '/login');
  }
});

test('signing in returns the user to exactly the original request', async () => {
  const browser = new Browser(origin);
  const state = 'a+b %41&=\u{1F511}';
  const login = await browser.visit(`/authorize?${authorizationQuery({ state })}`);
  const consent = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.equal(consent.url, `${origin}/authorize?${authorizationQuery({ state })}`);
});

test('a client can choose the language of the pages by ui_locales', async () => {
  const page = await new Browser(origin).visit(`/authorize?${authorizationQuery({ ui_locales: 'de' })}`);
  assert.match(page.text, /<html lang="de"/);
});

test('signing in creates a new session id; a planted one stays worthless [A125]', async () => {
  const browser = new Browser(origin);
  const login = await browser.visit(request);
  browser.setCookie('session', 's%3Aplanted.x');
  await browser.submit(login, 'id="login"', { username: 'alice', password });
  const session = browser.cookies().get('session') ?? '';
  assert.ok(session.length > 20 && !session.includes('planted'));
});

test('the session cookie is HttpOnly and SameSite=Lax for the whole site, and the database stores only its digest [A149]', async () => {
  const browser = new Browser(origin);
  const [path, init] = formRequest(await browser.visit('/login'), 'id="login"', { username: 'alice', password });
  const answer = await browser.open(path, init);
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('session=')) ?? '';
  assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Lax$/);
  const sid = decodeURIComponent(cookie.slice(8)).slice(2).split('.')[0] ?? '';
  const { rows } = await database.query('select sessions::text from sessions where sid_sha256 = $1', [digestOf(sid)]);
  assert.equal(rows.length, 1);
  assert.ok(!rows[0].sessions.includes(sid));
});

test('with an https issuer, cookies are Secure and bound to the host, whatever the headers claim [A10]', async () => {
  const secure = await startLatchkey({ ISSUER: 'https://id.example' });
  await registerPeople(secure.database);
  const browser = new Browser(secure.origin);
  const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' };
  const login = await browser.open('/login', { headers });
  assert.ok(!login.text.includes('evil.example'));
  const [path, init] = formRequest(login, 'id="login"', { username: 'alice', password });
  const answer = await browser.open(path, init);
  for (const cookie of answer.headers.getSetCookie()) assert.match(cookie, /^__Host-\w+=.*; Secure/);
  assert.equal(answer.headers.getSetCookie().length, 2);
  assert.equal(login.headers.get('strict-transport-security'), 'max-age=31536000');
});

for (const [title, spoil] of [
  ['without a token', { csrf: undefined }],
  ['with another session’s token', { csrf: 'x'.repeat(43) }],
] as const) {
  test(`a form ${title} is refused: the sign-in form is shown again, the consent page likewise`, async () => {
    const browser = new Browser(origin);
    const refused = await browser.submit(await browser.visit(request), 'id="login"', {
      username: 'alice',
      password,
      ...spoil,
    });
    assert.equal(refused.status, 403);
    assert.equal(browser.cookies().has('session'), false);
    const consent = await browser.submit(refused, 'id="login"', { username: 'alice', password });
    const again = await browser.submit(consent, 'id="allow"', spoil);
    assert.equal(again.status, 400);
    assert.ok(codeIn(await browser.submit(again, 'id="allow"', { duration: 'once' })));
  });
}

test('a form posted from another site is refused, whatever it contains [A122]', async () => {
  const browser = await signedInBrowser(origin);
  const consent = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  const [path, init] = formRequest(consent, 'id="allow"');
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const answer = await browser.open(path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...headers },
    });
    assert.equal(answer.status, 400, JSON.stringify(headers));
    assert.equal(answer.location, undefined);
  }
  assert.ok(codeIn(await browser.open(path, init)));
});

test('lost cookies, a second tab and the back button all lead back into the same request', async () => {
  await database.query('update grants set revoked_at = now()');
  const browser = new Browser(origin);
  const login = await browser.visit(request);
  browser.forgetCookies();
  const expired = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.equal(expired.status, 403);
  const consent = await browser.submit(expired, 'id="login"', { username: 'alice', password });
  const inOtherTab = await browser.visit(`/login?${authorizationQuery()}`);
  assert.equal(inOtherTab.url, consent.url);
  await browser.submit(consent, 'id="allow"');
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
  browser.forgetCookies();
  assert.match((await browser.submit(consent, 'id="allow"')).text, /id="login"/);
});

test('no parameter can redirect a user to another site after signing in [A146]', async () => {
  for (const to of [
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    '%2f%2fevil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
    '/account/../../evil',
  ]) {
    const browser = new Browser(origin);
    const login = await browser.visit(`/login?${new URLSearchParams({ to, return_to: to, next: to })}`);
    const [path, init] = formRequest(login, 'id="login"', { username: 'alice', password });
    assert.equal((await browser.open(path, init)).location, '/', to);
  }
});

test('GET and a forged POST do not sign out; the button does [A154]', async () => {
  const browser = await signedInBrowser(origin);
  await browser.visit('/logout');
  assert.equal((await browser.open('/logout', { method: 'POST' })).status, 403);
  assert.equal((await browser.open('/login')).status, 302);
  await browser.submit(await browser.visit('/'), 'action="/logout"');
  assert.equal((await browser.open('/login')).status, 200);
});

test('a session ends after half an hour without use, after half a day in any case, and when its user is disabled [A148] [A152]', async () => {
  for (const [ending, undo] of [
    ["update sessions set last_used_at = now() - interval '31 minutes'", ''],
    ["update sessions set created_at = now() - interval '13 hours'", ''],
    ['update users set disabled_at = now()', 'update users set disabled_at = null'],
  ] as const) {
    const browser = await signedInBrowser(origin);
    assert.equal((await browser.open('/login')).status, 302);
    await database.query(ending);
    assert.equal((await browser.open('/login')).status, 200);
    if (undo) await database.query(undo);
  }
});

test('a session in use is extended, at the cost of one write every few minutes', async () => {
  const browser = await signedInBrowser(origin);
  await database.query("update sessions set last_used_at = now() - interval '29 minutes'");
  await browser.open('/login');
  await database.query("update sessions set last_used_at = last_used_at - interval '2 minutes'");
  assert.equal((await browser.open('/login')).status, 302);
});

test('missing, repeated, empty, very long, NUL and SQL credentials are ordinary failures [A133] [A137] [A139]', async () => {
  const browser = new Browser(origin);
  for (const fields of [
    { username: undefined, password: undefined },
    { username: ['alice', 'alice'] },
    { password: [password, password] },
    { password: '' },
    { username: 'alice', password: 'x'.repeat(73) },
    { username: "' OR 1=1--" },
    { username: '%' },
    { username: 'x'.repeat(5000) },
  ]) {
    await forgetAttempts();
    const page = await browser.submit(await browser.visit(request), 'id="login"', {
      username: 'alice',
      password: 'wrong',
      ...fields,
    });
    assert.ok([400, 401].includes(page.status), `${page.status} ${JSON.stringify(fields)}`);
    assert.match(page.text, /id="login"/);
  }
  const nul = await browser.submit(await browser.visit(request), 'id="login"', {
    username: 'alice',
    password: `${password}\0`,
  });
  assert.equal(nul.status, 400);
});

async function tryPassword(browser: Browser, username: string, attempt: string): Promise<number> {
  return (await browser.submit(await browser.visit('/login'), 'id="login"', { username, password: attempt })).status;
}

test('guesses for one account from one address must wait after five attempts, even when they are simultaneous [A142]', async () => {
  await forgetAttempts();
  const browser = new Browser(origin);
  const login = await browser.visit('/login');
  const guesses = Array.from({ length: 40 }, () =>
    formRequest(login, 'id="login"', { username: 'bob', password: tooLong }),
  );
  const statuses = await Promise.all(guesses.map(async ([path, init]) => (await browser.open(path, init)).status));
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 35);
  const late = await browser.submit(login, 'id="login"', { username: 'bob', password });
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get('retry-after')) > 0);
  await forgetAttempts();
  assert.equal(await tryPassword(browser, 'bob', password), 200);
});

test('the waits grow with each attempt and end', async () => {
  await forgetAttempts();
  await database.query('alter table attempts disable trigger lengthen_wait');
  const key = [['k'], [2], [5], [900]];
  const waits = [];
  await database.query('select count_attempts($1, $2, $3, $4)', key);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const count = 'count_attempts($1, $2, $3, $4)';
    const { rows } = await database.query(`select ${count} as counted, ${count} as wait`, key);
    waits.push(rows[0].wait);
    await database.query('update attempts set blocked_until = now()');
  }
  assert.deepEqual(waits, [5, 10, 20, 40]);
  await database.query('alter table attempts enable trigger lengthen_wait');
});

test('trying one password on many accounts must wait after fifty attempts from one address [A143]', async () => {
  await forgetAttempts();
  const browser = new Browser(origin);
  const login = await browser.visit('/login');
  const statuses = [];
  for (let index = 0; index < 52; index += 1) {
    const [path, init] = formRequest(login, 'id="login"', { username: `user-${index}`, password: 'x'.repeat(73) });
    statuses.push((await browser.open(path, init)).status);
  }
  assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [50, 429]);
  await forgetAttempts();
});

test('X-Forwarded-For is ignored unless a proxy is trusted [A11]', async () => {
  await forgetAttempts();
  const browser = new Browser(origin);
  const login = await browser.visit('/login');
  const statuses = [];
  for (let index = 0; index < 7; index += 1) {
    const [path, init] = formRequest(login, 'id="login"', { username: 'carol', password: tooLong });
    const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': `192.0.2.${index}` };
    statuses.push((await browser.open(path, { ...init, headers })).status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
  await forgetAttempts();
});

test('exhausting the limit of an account does not lock out a browser that its owner has used before', async () => {
  const proxied = await startLatchkey({ TRUST_PROXY: '1' });
  await lengthenWaits(proxied.database);
  await registerPeople(proxied.database, ['dave']);
  const owner = new Browser(proxied.origin);
  assert.equal(await tryPassword(owner, 'dave', password), 200);
  const stranger = new Browser(proxied.origin);
  const login = await stranger.visit('/login');
  for (let index = 0; index < 25; index += 1) {
    const [path, init] = formRequest(login, 'id="login"', { username: 'dave', password: tooLong });
    await stranger.open(path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'x-forwarded-for': `192.0.2.${index}` },
    });
  }
  assert.equal(await tryPassword(new Browser(proxied.origin), 'dave', password), 429);
  await owner.submit(await owner.visit('/'), 'action="/logout"');
  assert.equal(await tryPassword(owner, 'dave', password), 200);
});

test('consent is refused when the client was disabled, or its redirection URI removed, in the meantime [A163]', async () => {
  for (const change of ['disabled_at = now()', "redirect_uris = '{https://printer.example/new}'"]) {
    const browser = await signedInBrowser(origin);
    const consent = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
    await database.query(`update clients set ${change} where client_id = 'photo-printer'`);
    const answer = await browser.submit(consent, 'id="allow"');
    assert.deepEqual([answer.status, answer.location], [400, undefined]);
    await registerPrinter(database);
    await database.query('update clients set disabled_at = null');
  }
});

test('a changed redirection URI asks for consent again, and the page says why', async () => {
  const browser = await signedInBrowser(origin);
  await obtainCode(browser, { prompt: 'consent' });
  await registerPrinter(database, {
    redirect_uris: ['https://printer.example/callback', 'https://printer.example/second'],
  });
  const page = await browser.visit(request);
  assert.match(page.text, /id="allow"/);
  assert.match(page.text, /role="status"|class="notice|class="problem|changed/);
  assert.ok(codeIn(await browser.submit(page, 'id="allow"')));
  assert.ok(codeIn(await browser.visit(request)));
});

test('scopes and decisions added to the consent form by hand are ignored or refused [A158]', async () => {
  const browser = await signedInBrowser(origin);
  const open = () => browser.visit(`/authorize?${authorizationQuery({ scope: 'user:name', prompt: 'consent' })}`);
  const code = codeIn(
    await browser.submit(await open(), 'id="allow"', {
      scope: ['user:name', 'admin', 'repo:write'],
      authorized: 'true',
    }),
  );
  const { redeem } = await import('../support/flow.ts');
  assert.equal((await redeem(origin, code)).body['scope'], 'user:name');
  assert.equal((await browser.submit(await open(), 'id="allow"', { decision: 'perhaps' })).status, 400);
  assert.equal((await browser.submit(await open(), 'id="allow"', { ticket: undefined })).status, 400);
  assert.equal((await browser.submit(await open(), 'id="allow"', { scope: undefined })).status, 400);
});

test('a required scope that arrives unticked is refused, not granted silently', async () => {
  await registerPrinter(database, { client_id: 'needy', required_scopes: ['user:name'] });
  const browser = await signedInBrowser(origin);
  const page = await browser.visit(`/authorize?${authorizationQuery({ client_id: 'needy' })}`);
  const refused = await browser.submit(page, 'id="allow"', { scope: 'user:email' });
  assert.deepEqual([refused.status, refused.location], [400, undefined]);
  const code = codeIn(await browser.submit(refused, 'id="allow"', { scope: 'user:name' }));
  const { basic, redeem } = await import('../support/flow.ts');
  assert.equal((await redeem(origin, code, {}, { authorization: basic('needy') })).body['scope'], 'user:name');
});

test('GET /consent changes nothing and says so; other methods get 405 [A157] [A173]', async () => {
  const browser = await signedInBrowser(origin);
  const page = await browser.open(`/consent?${authorizationQuery()}&decision=allow&scope=user:name`);
  assert.deepEqual([page.status, page.location], [400, undefined]);
  assert.equal((await browser.open('/consent', { method: 'PUT' })).status, 405);
});

test('a password hash with PHP’s $2y$ prefix works', async () => {
  const { rows } = await database.query("select password_bcrypt from users where username = 'alice'");
  const hash = rows[0].password_bcrypt.replace(/^\$2[ab]/, '$2y');
  await database.query('select register_user($1, $2)', ['php', hash]);
  const browser = await signedInBrowser(origin, 'php');
  assert.equal((await browser.open('/login')).status, 302);
});
