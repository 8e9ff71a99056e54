import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential, createSecret } from '../../src/lib/secrets.ts';
import { Browser, formRequest, type Page } from '../support/browser.ts';
import { basic, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, startWithPrinter } from '../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPeople(database, ['bob', 'root', 'carol', 'dan']);
await database.query("update users set is_admin = true where username = 'root'");

const root = await signedInBrowser(origin, 'root');
const bob = await signedInBrowser(origin, 'bob');
const idOf = async (username: string): Promise<number> =>
  (await database.query('select user_id from users where username = $1', [username])).rows[0].user_id;
const paths = [
  '/admin',
  '/admin/people',
  `/admin/people/${await idOf('bob')}`,
  '/admin/grants',
  '/admin/events',
  '/admin/events/export',
];

/** Without what differs between two answers of one page: the number of the request, and its own path in the link to sign in. */
const bytes = ({ url, status, text, headers }: Page) => {
  const request_id = headers.get('x-request-id') ?? '';
  const same = text.replaceAll(request_id, '').replaceAll(encodeURIComponent(new URL(url).pathname), '');
  return [status, same, headers.get('allow'), headers.get('content-type')];
};

test('for everybody but administrators each path below /admin is the 404 of an unknown path, whatever the method', async () => {
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  const token = { authorization: `Bearer ${body['access_token']}` };
  const secret = { authorization: basic(printer.client_id, printer.client_secret) };
  for (const [browser, headers] of [
    [bob, {}],
    [new Browser(origin), {}],
    [new Browser(origin), token],
    [new Browser(origin), secret],
  ] as const) {
    for (const accept of ['text/html', 'application/json']) {
      for (const method of ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE']) {
        const init = { method, headers: { accept, ...headers } };
        const unknown = bytes(await browser.open('/admin/nothing-here', init));
        assert.equal(unknown[0], 404);
        for (const path of paths) assert.deepEqual(bytes(await browser.open(path, init)), unknown, `${method} ${path}`);
      }
    }
  }
});

test('an administrator finds the pages in the menu of the account and on the home page, and nobody else does', async () => {
  assert.match((await root.visit('/account')).text, /href="\/admin"/);
  assert.doesNotMatch((await bob.visit('/account')).text, /\/admin/);
  assert.match((await root.visit('/')).text, /<h2><a href="\/admin">Administration</);
  assert.doesNotMatch((await bob.visit('/')).text, /\/admin/);
  for (const path of paths) assert.equal((await root.visit(path)).status, 200, path);
});

test('an administrator whose sign-in is older than a quarter of an hour signs in again before anything is shown, and lands there', async () => {
  const browser = await signedInBrowser(origin, 'root');
  await database.query("update sessions set auth_time = now() - interval '16 minutes'");
  const asked = await browser.open('/admin/people?find=bob');
  assert.equal(asked.status, 302);
  assert.doesNotMatch(asked.text, /bob/);
  const login = await browser.visit('/admin/people?find=bob');
  assert.match(login.text, /id="login"/);
  const shown = await browser.submit(login, 'id="login"', { username: 'root', password });
  assert.equal(shown.url, `${origin}/admin/people?find=bob`);
  assert.equal(shown.status, 200);
  await database.query('update sessions set auth_time = now()');
});

test('an administrator whose session has ended finds the way back in the 404 of a bookmark and of a button', async () => {
  const browser = await signedInBrowser(origin, 'root');
  const path = `/admin/people/${await idOf('bob')}`;
  const open = await browser.visit(path);
  const signIn = async (page: Page) => {
    assert.equal(page.status, 404);
    const [, href = ''] = /class="enter" href="([^"]+)"/.exec(page.text) ?? [];
    return browser.submit(await browser.visit(href.replaceAll('&amp;', '&')), 'id="login"', {
      username: 'root',
      password,
    });
  };
  for (const address of [path, '/admin/people?find=bob&ui_locales=en', '/admin/events/export']) {
    browser.forgetCookies();
    const shown = await signIn(await browser.visit(address));
    assert.deepEqual([shown.status, shown.url], [200, origin + address.replace('/export', '')]);
  }
  browser.forgetCookies();
  assert.equal((await signIn(await browser.submit(open, 'value="end_sessions"'))).url, origin + path);
  // nothing but a page here, and no secret
  for (const strange of [
    '/admin//evil.example',
    '/admin/../..',
    `/admin/${'x'.repeat(3000)}`,
    '/nowhere',
    '/admin/%2e%2e/x',
  ]) {
    assert.match((await new Browser(origin).open(strange)).text, /class="enter" href="\/login"/, strange.slice(0, 40));
  }
  const { text } = await new Browser(origin).open('/admin/people?find=lk_at_secret');
  assert.match(text, /class="enter" href="\/login\?to=%2Fadmin%2Fpeople"/);
});

test('an administrator who is none any more loses the pages at once', async () => {
  const browser = await signedInBrowser(origin, 'root');
  assert.equal((await browser.open('/admin/people')).status, 200);
  await database.query("update users set is_admin = false where username = 'root'");
  assert.equal((await browser.open('/admin/people')).status, 404);
  await database.query("update users set is_admin = true where username = 'root'");
});

const personOf = async (username: string) => root.visit(`/admin/people/${await idOf(username)}`);
const press = async (username: string, action: string, changes = {}) =>
  root.submit(await personOf(username), `value="${action}"`, changes);
const stored = async (username: string) =>
  (await database.query('select * from users where username = $1', [username])).rows[0];
const eventsOf = async (username: string) =>
  (
    await database.query(
      `select event, detail, by_user_id = (select user_id from users where username = 'root') as by_root
       from audit_events where user_id = $1 and by_user_id is not null order by happened_at`,
      [await idOf(username)],
    )
  ).rows;

test('the search finds people by what they are called, compares every sign as it is, and asks for more of the name', async () => {
  const find = async (text: string) => (await root.visit(`/admin/people?find=${encodeURIComponent(text)}`)).text;
  await database.query("update users set name = 'Ada Carolina Maria del Stone' where username = 'carol'");
  for (const text of ['carol', 'CAROL@example', 'aro', 'sto', 'Stone', 'ada c', 'carolina', 'mari', 'del']) {
    assert.match(await find(text), />carol</, text);
  }
  assert.doesNotMatch(await find('tone'), />carol</);
  assert.match(await find(String(await idOf('carol'))), />carol</);
  for (const text of [
    '%',
    '_',
    '\\',
    '%'.repeat(500),
    "' or 1=1--",
    '.*',
    'caro%',
    'c',
    'x'.repeat(10_000),
    '\0',
    'ca\0',
  ]) {
    const isName = text === 'c';
    assert.equal(/class="name"/.test(await find(text)), isName, text.slice(0, 10));
  }
  await database.query("insert into users (username) select 'mass-' || n from generate_series(1, 30) n");
  const showsMore = async (text: string) => /rel="next" href="([^"]+)"/.exec(await find(text))?.[1];
  assert.equal(await showsMore('mass-'), '/admin/people?find=mass-&amp;show=100');
  const all = (await root.visit('/admin/people?find=mass-&show=100')).text;
  assert.equal([...all.matchAll(/class="name"/g)].length, 30);
  assert.doesNotMatch(all, /id="more"|rel="next"/);
  await database.query("insert into users (username) select 'many-' || n from generate_series(1, 101) n");
  const most = (await root.visit('/admin/people?find=many-&show=100')).text;
  assert.equal([...most.matchAll(/class="name"/g)].length, 100);
  assert.match(most, /id="more">More people match/);
  await database.query("delete from users where username like 'many-%'");
  assert.match(await find('no <such>'), /id="none">No people match “no &lt;such&gt;”\./);
  // a link to a search turns no text around
  assert.match(await find('no \u202esuch'), /id="none">No people match “no such”\./);
  assert.match((await showsMore('ass-')) ?? '', /find=ass-/);
  const odd = '/admin/people?find=carol&order=password_hash&limit=-1&offset=1e9&after=1;--';
  assert.match((await root.visit(odd)).text, />carol</);
});

const listed = async (query = '') =>
  [...(await root.visit(`/admin/people${query}`)).text.matchAll(/class="name"><a [^>]*><bdi>([^<]+)/g)].map(
    ([, name]) => name,
  );

test('without a search the newest people are listed, a page at a time, and lists show whom an administrator looks after', async () => {
  const newest = Array.from({ length: 20 }, (_, at) => `mass-${30 - at}`);
  assert.deepEqual(await listed(), newest);
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec((await root.visit('/admin/people')).text) ?? [];
  assert.deepEqual((await listed(next.replace('/admin/people', ''))).slice(0, 2), ['mass-10', 'mass-9']);
  await database.query("update users set disabled_at = now() where username in ('mass-3', 'mass-5')");
  await database.query("update users set seen_on = current_date - 366 where username in ('mass-5', 'mass-7', 'dan')");
  await database.query("update users set seen_on = current_date - 500, language = 'en' where username = 'mass-9'");
  await database.query("update users set second_factor_since = now() where username = 'mass-30'");
  assert.deepEqual(await listed('?list=administrators'), ['root']);
  assert.deepEqual(await listed('?list=disabled'), ['mass-5', 'mass-3']);
  assert.deepEqual((await listed('?list=without_factor')).slice(0, 2), ['mass-29', 'mass-28']);
  assert.deepEqual(await listed('?list=not_seen'), ['mass-9', 'dan', 'mass-7']);
  await signedInBrowser(origin, 'dan');
  assert.deepEqual(await listed('?list=not_seen'), ['mass-9', 'mass-7']);
  await database.query("update users set created_at = '2024-02-29' where username = 'mass-9'");
  assert.match(
    (await root.visit('/admin/people?list=not_seen')).text,
    /mass-9[\s\S]*?Account since <time datetime="2024-02-29/,
  );
  assert.match(
    (await root.visit('/admin/people?list=not_seen')).text,
    new RegExp(
      `mass-9[\\s\\S]*?Last seen around <time datetime="${new Date(Date.now() - 500 * 86_400_000).toISOString().slice(0, 10)}T00:00`,
    ),
  );
  const neverSignedIn = `/admin/people/${await idOf('mass-7')}`;
  for (const path of ['/admin/people?find=mass-7', neverSignedIn]) {
    assert.doesNotMatch((await root.visit(path)).text, /Last seen/, path);
  }
  for (const odd of ['?list=constructor', '?list=', '?after=x']) assert.deepEqual(await listed(odd), newest, odd);
  await database.query("update users set second_factor_since = null, disabled_at = null where username like 'mass-%'");
});

test('an administrator adds an account, and what is wrong stands at its field', async () => {
  const open = () => root.visit('/admin/people/new');
  const add = async (typed: Record<string, string>) => root.submit(await open(), 'id="add"', typed);
  for (const [typed, field, text] of [
    [{ username: 'bob' }, 'username', /^This username is already taken/],
    [{ username: 'admin' }, 'username', /reserved/],
    [{ username: 'a b' }, 'username', /2 to 40 letters/],
    [{ username: 'fay', email: 'bob@example.com' }, 'email', /Another account/],
    [{ username: 'fay', email: 'fay' }, 'email', /Enter an email address like/],
    [{ username: 'fay', name: 'x'.repeat(201) }, 'name', /1 to 200/],
  ] as const) {
    const { status, text: page } = await add(typed);
    assert.ok(status === 400 || status === 409, field);
    const [, problem = ''] = new RegExp(`id="${field}-problem">([^<]+)`).exec(page) ?? [];
    assert.match(problem, text);
    assert.match(page, new RegExp(`name="username" value="${typed.username}"`));
  }
  const added = await add({ username: 'fay', name: 'Fay W.', email: 'fay@example.com' });
  assert.match(added.text, /The account was added/);
  const { email_verified, name, password_bcrypt } = await stored('fay');
  assert.deepEqual([email_verified, name, password_bcrypt], [true, 'Fay W.', null]);
  const shown = await root.submit(added, 'value="show_link"');
  const [, link = ''] = /id="reset-link">([^<]+)/.exec(shown.text) ?? [];
  const fay = new Browser(origin);
  const opened = await fay.visit(link.replaceAll('&amp;', '&'));
  await fay.submit(opened, 'name="new_password"', { new_password: 'nine lives and a hat' });
  assert.match((await fay.visit('/account')).text, /Fay W\./);
});

test('of two who add accounts with one address at once, the second gets the form with what is wrong', async () => {
  const page = await root.visit('/admin/people/new');
  const client = await database.connect();
  try {
    await client.query('begin; lock table sign_in_names in share row exclusive mode');
    const both = ['gus', 'hal'].map((username) =>
      root.submit(page, 'id="add"', { username, email: 'shared@example.com' }),
    );
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await database.query(waiting)).rowCount !== 2) await new Promise((resolve) => setTimeout(resolve, 10));
    await client.query('commit');
    const [added, refused] = (await Promise.all(both)).sort((one, other) => one.status - other.status);
    assert.deepEqual([added?.status, refused?.status], [200, 409]);
    assert.match(refused?.text ?? '', /id="email-problem">Another account/);
  } finally {
    client.release(true);
  }
});

test('each button of the page of a person does what it says, says what it has done, and the trail names the administrator', async () => {
  const carol = await signedInBrowser(origin, 'carol');
  for (let attempt = 0; attempt < 7; attempt += 1) {
    const browser = new Browser(origin);
    await browser.submit(await browser.open('/login'), 'id="login"', { username: 'carol', password: 'wrong' });
  }
  assert.match((await personOf('carol')).text, /id="lock"><strong>/);
  assert.match((await personOf('carol')).text, /<h1>.*class="tag dot warning">Locked</);
  assert.match((await personOf('carol')).text, /<dd id="lock">.*The lock ends by itself/);
  for (const [, id] of (await personOf('carol')).text.matchAll(/<a href="#([\w-]+)">/g)) {
    if (id !== 'content') assert.match((await personOf('carol')).text, new RegExp(`<h2 id="${id}"`), id);
  }
  const lastSeen = async () => /<dt>Last seen<\/dt><dd>([^<]+)/.exec((await personOf('carol')).text)?.[1] ?? '';
  assert.doesNotMatch(await lastSeen(), /^(around|$)/, 'when a session was used');
  const does = async (action: string, said: RegExp, typed = {}) => {
    const { text } = await press('carol', action, typed);
    const [, notice = ''] = /<div class="notice" role="status">([\s\S]*?)<\/div>/.exec(text) ?? [];
    assert.match(notice, said, action);
  };
  await does('unlock', /Wrong passwords and codes no longer count/);
  assert.doesNotMatch((await personOf('carol')).text, /id="lock"><strong>|>Locked</);
  await does('end_sessions', /Signed out everywhere\./);
  assert.equal((await carol.open('/account')).status, 302);
  assert.match(await lastSeen(), /^around \d{1,2} \w+ \d{4}$/, 'without a session, the day of the last sign-in');
  await database.query("update users set second_factor_since = now() where username = 'carol'");
  const factor = async () => /Second factor<\/dt><dd>([^<]*)/.exec((await personOf('carol')).text)?.[1];
  assert.equal(await factor(), 'Security key or recovery code');
  await database.query(`insert into totp_factors (user_id, secret, last_step) values (${await idOf('carol')}, 'x', 0)`);
  assert.equal(await factor(), 'Authenticator app');
  await database.query(
    `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
     values ('a key', $1, '{}', 0, '{}', false, false, 'localhost', 'Key ring')`,
    [await idOf('carol')],
  );
  assert.match(
    (await personOf('carol')).text,
    /Key ring<.*Only for two-step verification · Added on \d.* · Never used</,
  );
  await does('reset_factors', /turned off, and all sessions have ended/);
  assert.equal((await stored('carol')).second_factor_since, null);
  assert.equal(await factor(), 'None');
  await does('make_admin', /is now an administrator/);
  assert.equal((await stored('carol')).is_admin, true);
  await does('unmake_admin', /no longer an administrator/);
  assert.equal((await stored('carol')).is_admin, false);
  await obtainCode(await signedInBrowser(origin, 'carol'));
  const suspended = async () => /Suspended while the account is disabled/.test((await personOf('carol')).text);
  assert.equal(await suspended(), false);
  await does('disable', /The account is disabled\./);
  assert.equal(await suspended(), true);
  assert.notEqual((await stored('carol')).disabled_at, null);
  assert.match((await personOf('carol')).text, /To let the person set a password, enable the account first/);
  await does('enable', /The account is enabled/);
  assert.equal((await stored('carol')).disabled_at, null);
  assert.doesNotMatch((await personOf('carol')).text, /enable the account first/);
  await does('change', /Name and address saved/, { name: 'C.', email: 'carol@new.example', vouched: 'true' });
  const { name, email, email_verified } = await stored('carol');
  assert.deepEqual([name, email, email_verified], ['C.', 'carol@new.example', true]);
  const events = await eventsOf('carol');
  assert.ok(events.every(({ by_root }) => by_root));
  assert.deepEqual(
    events.map(({ event, detail }) => (detail === null ? event : `${event}: ${detail}`)),
    [
      'user_unlocked',
      'sessions_ended',
      'second_factor_removed',
      'user_changed: made an administrator',
      'user_changed: no administrator any more',
      'user_disabled',
      'user_enabled',
      'user_changed: name, address, address verified',
    ],
  );
  assert.match((await personOf('carol')).text, /by <bdi[^>]*>root</);
});

test('a button that hits much, or that nothing takes back, asks first; the others do not', async () => {
  const asked = (text: string) => [...text.matchAll(/<details class="question">([\s\S]*?)<\/details>/g)].join('\n');
  await database.query("update users set second_factor_since = now() where username = 'dan'");
  const { text } = await personOf('dan');
  assert.match(asked(text), /is also signed out everywhere[^\n]*<\/p>\s*<button[^>]* value="reset_factors"/);
  for (const action of ['make_admin', 'reset_factors', 'disable']) {
    assert.match(asked(text), new RegExp(`<p>[^\\n]*dan[^\\n]*</p>\\s*<button[^>]* value="${action}"`), action);
  }
  await database.query("update users set second_factor_since = null, is_admin = true where username = 'dan'");
  assert.match(asked((await personOf('dan')).text), /value="unmake_admin"/);
  await database.query("update users set is_admin = false where username = 'dan'");
  assert.doesNotMatch(asked(text), /value="(show_link|end_sessions|change)"/);
  const [, last = ''] = text.split('id="events"');
  assert.match(
    last,
    /<summary><span><strong>Account<\/strong> If you disable the account, nobody can sign in[^\n]*Disable account…/,
    'the last part of the page',
  );
  assert.match(text, /value="show_link"/);
  const application = asked((await root.visit(`/admin/applications/${printer.client_id}`)).text);
  for (const action of ['disable', 'revoke_tokens', 'ban']) assert.match(application, new RegExp(`value="${action}"`));
  await obtainCode(await signedInBrowser(origin, 'dan'));
  assert.match(asked((await personOf('dan')).text), /name="client_id"/);
});

test('what an administrator leaves alone stays, and a box that is unticked counts', async () => {
  const state = async () => {
    const { name, email, email_verified, pending_email } = await stored('dan');
    return [name, email, email_verified, pending_email];
  };
  const [pending, address] = ['dan@new.example', 'dan@example.com'];
  await database.query(
    "update users set name = 'Dan', email_verified = true, pending_email = $1 where username = 'dan'",
    [pending],
  );
  await press('dan', 'change', { name: 'Daniel' });
  assert.deepEqual(await state(), ['Daniel', address, true, pending]);
  await press('dan', 'change', { vouched: undefined });
  assert.deepEqual(await state(), ['Daniel', address, false, null]);
  const details = (await eventsOf('dan')).map(({ detail }) => detail);
  assert.deepEqual(details, ['name', 'address not verified']);
});

test('a link to set a password is shown once, and works', async () => {
  const shown = await press('dan', 'show_link');
  const url = /id="reset-link">([^<]+)</.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no link');
  assert.doesNotMatch((await personOf('dan')).text, /reset-link/);
  const browser = new Browser(origin);
  const page = await browser.visit(url.slice(origin.length));
  await browser.submit(page, 'id="save"', { new_password: 'a-new-password-of-dan' });
  assert.equal((await browser.open('/account')).status, 200);
  const other = new Browser(origin);
  const typed = { username: 'dan', password: 'a-new-password-of-dan' };
  await other.submit(await other.open('/login'), 'id="login"', typed);
  assert.equal((await other.open('/account')).status, 200);
});

test('nobody locks themselves out, takes somebody else’s address, or stores what no address is', async () => {
  const own = await personOf('root');
  for (const action of ['disable', 'unmake_admin', 'reset_factors']) {
    assert.doesNotMatch(own.text, new RegExp(`value="${action}"`));
    const refused = await root.submit(own, 'value="change"', { action });
    assert.deepEqual([refused.status, /id="problem"/.test(refused.text)], [400, true], action);
  }
  assert.deepEqual([(await stored('root')).is_admin, (await stored('root')).disabled_at], [true, null]);
  const calledSo = (email: string) => new RegExp(`</h1>\\s*<p class="soft"><bdi>[^<]*${email}</bdi></p>`);
  assert.match((await personOf('dan')).text, calledSo('dan@example.com'));
  for (const email of ['BOB@example.com', 'nothing']) {
    const { status, text } = await press('dan', 'change', { email, vouched: 'true' });
    assert.equal(status, 400, email);
    assert.match(
      text,
      /id="email"[^>]* aria-invalid="true"[\s\S]*id="email-problem"/,
      'what is wrong stands at its field',
    );
    assert.doesNotMatch(text, calledSo(email), 'what was typed is not said to be the address of the person');
    assert.match(text, calledSo('dan@example.com'));
  }
  assert.equal((await stored('dan')).email, 'dan@example.com');
  assert.equal((await root.visit('/admin/people/999999')).status, 404);
  assert.equal((await root.visit('/admin/people/1e3')).status, 404);
});

test('two administrators who take the rights from each other at once leave one', async () => {
  await database.query("update users set is_admin = true where username = 'bob'");
  const other = await signedInBrowser(origin, 'bob');
  const pages = [
    { browser: root, page: await personOf('bob') },
    { browser: other, page: await other.visit(`/admin/people/${await idOf('root')}`) },
  ];
  await Promise.all(pages.map(({ browser, page }) => browser.submit(page, 'value="unmake_admin"')));
  const { rows } = await database.query('select username from users where is_admin');
  assert.equal(rows.length, 1);
  await database.query("update users set is_admin = (username = 'root') where is_admin or username = 'root'");
});

test('a forged form changes nothing and is in the trail, and no other method does anything [A529]', async () => {
  const page = await personOf('bob');
  const [path, init] = formRequest(page, 'value="disable"');
  const before = (await database.query("select count(*) from audit_events where event = 'administration_refused'"))
    .rows[0];
  const fields = String(init.body);
  const headers = init.headers as Record<string, string>;
  const othersKey = /name="csrf" value="([^"]+)"/.exec((await bob.visit('/account')).text)?.[1] ?? '';
  const forged: [string, Record<string, string>, string][] = [
    ['another site', { ...headers, 'sec-fetch-site': 'cross-site' }, fields],
    ['a sub-domain', { ...headers, 'sec-fetch-site': 'same-site' }, fields],
    ['another origin', { ...headers, origin: 'https://evil.example' }, fields],
    ['no key', headers, fields.replace(/csrf=[^&]*/, '')],
    ['the key of somebody else', headers, fields.replace(/csrf=[^&]*/, `csrf=${encodeURIComponent(othersKey)}`)],
  ];
  for (const [name, sent, body] of forged) {
    assert.equal((await root.open(path, { method: 'POST', headers: sent, body })).status, 403, name);
  }
  const asText = { ...headers, 'content-type': 'text/plain' };
  assert.equal((await root.open(path, { method: 'POST', headers: asText, body: fields })).status, 400);
  for (const method of ['PUT', 'DELETE', 'PATCH'])
    assert.equal((await root.open(path, { method, headers })).status, 405);
  for (const method of ['GET', 'HEAD']) await root.open(`${path}?${fields}`, { method });
  assert.equal((await stored('bob')).disabled_at, null);
  const after = (await database.query("select count(*) from audit_events where event = 'administration_refused'"))
    .rows[0];
  assert.equal(Number(after.count) - Number(before.count), forged.length);
  assert.equal(page.headers.get('x-frame-options'), 'DENY');
  await Promise.all([root.open(path, init), root.open(path, init)]);
  assert.notEqual((await stored('bob')).disabled_at, null);
  await database.query("update users set disabled_at = null where username = 'bob'");
});

test('a form of an administrator whose sign-in is too old changes nothing, and leads back to its page', async () => {
  const browser = await signedInBrowser(origin, 'root');
  const page = await browser.visit(`/admin/people/${await idOf('bob')}`);
  await database.query("update sessions set auth_time = now() - interval '16 minutes'");
  const asked = await browser.submit(page, 'value="disable"');
  assert.match(asked.text, /id="login"/);
  assert.equal((await stored('bob')).disabled_at, null);
  // what was typed is not lost
  const before = (await stored('bob')).name;
  const kept = await browser.submit(page, 'value="change"', { name: 'Bob the Typed' });
  const shown = await browser.submit(kept, 'id="login"', { username: 'root', password });
  assert.match(shown.text, /id="restored"[\s\S]*value="Bob the Typed"/);
  assert.equal((await stored('bob')).name, before);
  await database.query('update sessions set auth_time = now()');
});

test('grants are found by person, by application and by a token that somebody shows, and revoked', async () => {
  const alice = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(alice, { prompt: 'consent' }));
  const token = String(body['access_token']);
  for (const query of ['user=alice', `client=${printer.client_id}`]) {
    const { text } = await root.visit(`/admin/grants?${query}`);
    assert.match(text, /name="client_id"/, query);
    assert.match(text, /<bdi>Photo Printer<\/bdi><\/a><\/h3>\s*<p[^>]*><code>photo-printer</, query);
  }
  assert.match((await root.visit('/admin/grants?user=nobody')).text, /id="problem"/);
  assert.doesNotMatch((await root.visit('/admin/grants?user=CAROL')).text, /id="problem"/);
  assert.doesNotMatch((await root.visit('/admin/events?user=CAROL')).text, /id="problem"/);
  assert.match((await root.visit('/admin/grants?client=nobody')).text, /id="problem"/);
  const page = await root.visit('/admin/grants');
  const shown = await root.submit(page, 'id="show-token"', { token });
  assert.match(shown.text, />alice</);
  assert.match(shown.text, /It is valid\. It expires on <time/);
  const facts = [...shown.text.matchAll(/<dt>([^<]+)<\/dt><dd>(.*)<\/dd>/g)].map(([, name, value = '']) => [
    name,
    value.replaceAll(/<[^>]*>/g, ''),
  ]);
  assert.deepEqual(facts, [
    ['Person', 'alice'],
    ['Application', `Photo Printer (${printer.client_id})`],
    ['Scopes', 'user:name user:email'],
    ['Resource', origin],
  ]);
  assert.doesNotMatch(shown.text, /type="search"[^>]*value="[^"]/, 'nothing was searched');
  assert.doesNotMatch(shown.url + shown.text, new RegExp(token));
  assert.match((await root.submit(page, 'id="show-token"', { token: 'lk_at_nothing' })).text, /role="status"/);
  const revoked = await root.submit(shown, 'name="client_id"');
  const saysSo = ({ text }: Page) =>
    /role="status"><p>([^\n]*no longer has access[^\n]*)<\/p>/
      .exec(text)?.[1]
      ?.replaceAll(/<[^>]*>/g, '')
      .trim();
  assert.equal(
    saysSo(revoked),
    'Photo Printer no longer has access to the account of alice. The tokens of Photo Printer have stopped working.',
  );
  assert.equal((await getUser(origin, token)).status, 401);
  for (const query of ['user=alice&revoked=nothing', 'user=nobody&revoked=photo-printer', 'revoked=photo-printer'])
    assert.equal(saysSo(await root.visit(`/admin/grants?${query}`)), undefined, query);
  // whose it was is still a link, also as it is copied out of a header
  for (const copied of [token, `Bearer ${token}`, `Authorization: Bearer ${token}`, `"${token}",`]) {
    const ended = await root.submit(page, 'id="show-token"', { token: copied });
    assert.match(ended.text, /no longer valid[\s\S]*Revoked by the operator of this server/, copied.slice(0, 20));
    assert.match(ended.text, new RegExp(`href="/admin/people/${await idOf('alice')}"><bdi>alice<`));
    assert.match(ended.text, new RegExp(`href="/admin/applications/${printer.client_id}"`));
  }
  const unknown = createCredential('access_token');
  assert.match(
    (await root.submit(page, 'id="show-token"', { token: unknown })).text,
    /no such code or token in the records/,
  );
  const secret = await root.submit(page, 'id="show-token"', { token: createSecret('client_secret') });
  assert.match(secret.text, /This is a client secret/);
  const [event] = (await eventsOf('alice')).slice(-1);
  assert.deepEqual([event?.event, event?.by_root], ['consent_revoked', true]);
  await redeem(origin, await obtainCode(alice, { prompt: 'consent' }));
  assert.equal(saysSo(await root.visit(revoked.url.slice(origin.length))), undefined, 'there is a grant again');
  await press('alice', 'revoke_grants');
  assert.equal((await personOf('alice')).text.includes('value="revoke_grants"'), false);
  const { rows } = await database.query(
    "select by_user_id from audit_events where event = 'consent_revoked' order by happened_at desc limit 1",
  );
  assert.equal(rows[0].by_user_id, await idOf('root'));
});

test('a token that somebody shows is ended by a button that asks first: an access token alone, a refresh token with its family', async () => {
  const alice = await signedInBrowser(origin);
  const page = await root.visit('/admin/grants');
  const show = (token: unknown) => root.submit(page, 'id="show-token"', { token: String(token) });
  const isValid = async (token: unknown) => (await getUser(origin, token)).status === 200;
  const tokens = async () => (await redeem(origin, await obtainCode(alice, { prompt: 'consent' }))).body;
  const latestEvent = async () => (await eventsOf('alice')).at(-1);

  const [first, other] = [await tokens(), await tokens()];
  const shown = await show(first['access_token']);
  assert.match(shown.text, /<details class="question">(?:(?!<\/details>)[\s\S])*id="revoke-token"/);
  assert.match(
    shown.text,
    /id="show-token"[\s\S]*Revoke token…[\s\S]*Revoke access…/,
    'the field, then what was found',
  );
  assert.doesNotMatch(shown.text, new RegExp(`${first['access_token']}`));
  const done = await root.submit(shown, 'id="revoke-token"');
  const text = done.text.replaceAll(/<[^>]*>/g, '');
  assert.match(text, /The access token of alice for Photo Printer has been revoked/);
  assert.match(done.text, /no longer valid[\s\S]*Revoked by the operator of this server/, 'its history stays');
  assert.match(done.text, /<h3>What the person has allowed this application<\/h3>/);
  assert.doesNotMatch(done.text, /id="revoke-token"/);
  assert.deepEqual([await isValid(first['access_token']), await isValid(other['access_token'])], [false, true]);
  assert.deepEqual(await latestEvent(), { event: 'token_revoked', detail: null, by_root: true });
  assert.match(
    (await show(first['access_token'])).text,
    /no longer valid[\s\S]*Revoked by the operator of this server/,
  );
  assert.equal((await root.submit(shown, 'id="revoke-token"')).status, 400);

  const { body: second } = await refresh(origin, first['refresh_token']);
  assert.equal(await isValid(second['access_token']), true);
  // the one that was exchanged still stands for its family
  const all = await root.submit(await show(first['refresh_token']), 'id="revoke-token"');
  assert.match(
    all.text.replaceAll(/<[^>]*>/g, ''),
    /All tokens of alice for Photo Printer from this authorization have been revoked/,
  );
  assert.equal(await isValid(second['access_token']), false);
  const { body: refused } = await refresh(origin, second['refresh_token']);
  assert.equal(refused['error'], 'invalid_grant');
  const history = (await show(second['refresh_token'])).text;
  assert.match(history, /Revoked by the operator of this server/);
  assert.doesNotMatch(history, /id="revoke-token"/);
  assert.equal(await isValid(other['access_token']), true);

  const code = await obtainCode(alice, { prompt: 'consent' });
  await root.submit(await show(code), 'id="revoke-token"');
  assert.equal((await redeem(origin, code)).body['error'], 'invalid_grant');
  for (const key of ['', 'x', 'ab'.repeat(32), 'zz'.repeat(32), 'ab'.repeat(4000)]) {
    assert.equal((await root.submit(shown, 'id="revoke-token"', { key })).status, 400, key.slice(0, 5));
  }
});

test('the page of a person lists the applications that they look after, and the question of Disable speaks of them', async () => {
  const path = `/admin/people/${await idOf('dan')}`;
  const before = await root.visit(path);
  assert.match(before.text, /id="looks-after"[\s\S]*?<p class="soft">This person manages no applications\.</);
  await database.query('update clients set owner_id = $1 where client_id = $2', [await idOf('dan'), printer.client_id]);
  const { text } = await root.visit(path);
  assert.match(text, new RegExp(`id="looks-after"[\\s\\S]*href="/admin/applications/${printer.client_id}"`));
  assert.match(text, /href="\/admin\/applications\?find=dan"/);
  assert.match(text, /manages keep running with their secrets/);
  await database.query('update clients set owner_id = null where client_id = $1', [printer.client_id]);
});

test('what happened is found by each of its columns, page by page, and followed without a script', async () => {
  const [user_id, request_id] = [await idOf('carol'), 'a-request-0123'];
  await database.query(
    `insert into audit_events (event, user_id, client_id, request_id, address)
     select 'profile_changed', $1, $2, $3, '192.0.2.77' from generate_series(1, 120)`,
    [user_id, printer.client_id, request_id],
  );
  await database.query(
    `insert into audit_events (happened_at, event, user_id, request_id)
     select now() - n * interval '1 second', 'session_ended', $1, 'r' || n from generate_series(1, 120) n`,
    [user_id],
  );
  await database.query("insert into audit_events (event, user_id, request_id) values ('signed_in', 987654, 'gone-1')");
  assert.match((await root.visit('/admin/events?request=gone-1')).text, /deleted account <bdi[^>]*>987654<\/bdi>/);
  const [all, found] = [await root.visit('/admin/events'), await root.visit('/admin/events?user=carol')];
  assert.match(all.text, />Latest events</);
  assert.doesNotMatch(all.text, /leaves out routine events|id="filters"/);
  assert.match(
    found.text,
    />Matching events <span class="tag">On this page: 50<[\s\S]*<ol class="log">[\s\S]*leaves out routine events[\s\S]*value="csv"/,
  );
  assert.doesNotMatch((await root.visit('/admin/events?since=24h')).text, /leaves out routine events/, 'time alone');
  const both = await root.visit('/admin/events?user=carol&since=7d&event=account+DISABLED');
  assert.match(both.text, /<span class="tag">Total: 1</);
  assert.match(both.text, /name="event" value="Account disabled"/, 'an event is known by what people read, too');
  const linkOf = (of: RegExp) =>
    new RegExp(`<a href="([^"]+)"[^>]*${of.source}`).exec(both.text)?.[1]?.replaceAll('&amp;', '&');
  assert.equal(linkOf(/aria-label="Remove Person carol"/), '/admin/events?event=user_disabled&since=7d');
  assert.equal(linkOf(/aria-label="Remove Event Account disabled"/), '/admin/events?user=carol&since=7d');
  assert.equal(linkOf(/aria-label="Remove Last 7 days"/), '/admin/events?user=carol&event=user_disabled');
  assert.equal(linkOf(/aria-current="page">Last 7 days/), '/admin/events?user=carol&event=user_disabled&since=7d');
  assert.equal(linkOf(/>Last 24 hours/), '/admin/events?user=carol&event=user_disabled&since=24h');
  assert.equal(linkOf(/>Any time/), '/admin/events?user=carol&event=user_disabled');
  const count = (text: string, event: string) => text.split(`<code>${event}</code>`).length - 1;
  const nextOf = ({ text }: Page) => /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  for (const [query, event] of [
    ['address=192.0.2.77', 'profile_changed'],
    [`request=${request_id}`, 'profile_changed'],
    [`client=${printer.client_id}&event=profile_changed`, 'profile_changed'],
    ['user=carol&event=session_ended', 'session_ended'],
  ] as const) {
    let seen = 0;
    for (let next: string | undefined = `/admin/events?${query}`; next !== undefined; ) {
      const page: Page = await root.visit(next);
      seen += count(page.text, event);
      next = nextOf(page);
    }
    assert.equal(seen, 120, query);
  }
  assert.equal(count((await root.visit('/admin/events?user=carol&until=2020-01-01')).text, 'session_ended'), 0);
  const dated = `/admin/events?request=${request_id}`;
  await database.query(
    "insert into audit_events (happened_at, event, request_id) values ('2026-03-01T23:44:41Z', 'signed_out', $1)",
    [request_id],
  );
  const within = await root.visit(`${dated}&since=2026-03-01T23:44&until=2026-03-01T23:44`);
  assert.equal(count(within.text, 'signed_out'), 1);
  assert.match(
    within.text,
    /<time datetime="[^"]+">[^<]* 23:44:41 UTC<\/time>/,
    'in the zone of the fields, also with scripts',
  );
  assert.match(within.text, /<option>Sign-in refused</);
  assert.equal((await root.visit(`${dated}&since=1h`)).status, 200);
  for (const [query, field] of [
    ['since=yesterday', 'since'],
    ['until=yesterday', 'until'],
    ['user=nobody', 'user'],
    ['event=sign_in_failed', 'event'],
    ['address=localhost', 'address'],
    ['since=2h&until=3h', 'since'],
  ]) {
    const { status, text } = await root.visit(`/admin/events?${query}`);
    const marked = [...text.matchAll(/ id="(\w+)"[^>]* aria-invalid="true"/g)].map(([, id]) => id);
    assert.deepEqual([status, marked], [400, [field]], query);
    assert.match(text, new RegExp(`<p class="problem" id="${field}-problem">[^<]`), query);
    assert.doesNotMatch(text, /id="events"|id="follow"|value="csv"/, 'nothing was searched');
  }
  for (const query of [
    'after=1;--',
    'event=%25',
    'event=%00',
    'after=99999999999999999999',
    'limit=-1',
    'since=+99999-01-01',
  ]) {
    assert.ok([200, 400].includes((await root.visit(`/admin/events?${query}`)).status), query);
  }
  // in one field, in any order
  await database.query(
    `insert into audit_events (happened_at, event, user_id, client_id, request_id, address)
     select now() - interval '1 day', event, $1, 'words', 'w-12345678', '192.0.2.78'
     from unnest(array['consent_revoked', 'consent_given', 'token_revoked']) event`,
    [user_id],
  );
  await database.query(
    "insert into audit_events (event, client_id, request_id) values ('token_revoked', 'words', 'x')",
  );
  await registerPrinter(database, { client_id: 'words' });
  const links = async () =>
    /<a href="(\/admin\/applications\/words)"><code>words</.test((await root.visit('/admin/events?client=words')).text);
  assert.equal(await links(), true);
  await database.query("update clients set deleted_at = now(), disabled_at = now() where client_id = 'words'");
  assert.equal(await links(), false, 'a deleted application has no page');
  await database.query("update clients set deleted_at = null, disabled_at = null where client_id = 'words'");
  const words = async (q: string, language = 'en') => {
    const { status, text } = await root.visit(`/admin/events?q=${encodeURIComponent(q)}&ui_locales=${language}`);
    const shown = ['consent_revoked', 'consent_given', 'token_revoked'].map((event) => count(text, event));
    return status === 200 ? shown.join(' ') : /id="q-problem">([^<]+)/.exec(text)?.[1];
  };
  assert.equal(await words('carol revoked yesterday'), '1 0 1');
  assert.equal(await words('YESTERDAY  words revoke'), '1 0 1');
  assert.equal(await words('words revoked'), '1 0 2');
  assert.equal(await words('carol widerrufen gestern', 'de'), '1 0 1');
  assert.equal(await words('撤销 昨天 words', 'zh'), '1 0 1');
  assert.equal(await words('192.0.2.78'), '1 1 1');
  assert.equal(await words('w-12345678 consent_given'), '0 1 0');
  assert.equal(await words('words today'), '0 0 1');
  assert.equal(await words('words 1h'), '0 0 1');
  assert.equal(await words('words 2020-01-01 2020-01-02'), '0 0 0');
  assert.match((await words('carol nobdy yesterday')) ?? '', /^“nobdy” does not match any person/);
  assert.match((await words('signed deleted')) ?? '', /“signed deleted”/);
  assert.equal((await root.visit('/admin/events?q=a%00')).status, 400);
  const foldOf = async (query: string) => /<details class="fields"( open)?>/.exec((await root.visit(query)).text)?.[1];
  assert.equal(await foldOf('/admin/events?client=words'), undefined, 'the list comes first');
  assert.equal(await foldOf('/admin/events?since=yesterday'), ' open', 'a fault is shown');
  const following = await root.visit('/admin/events?user=carol&follow=1');
  assert.equal(following.headers.get('refresh'), '5');
  assert.equal((await root.visit('/admin/events?user=carol')).headers.get('refresh'), null);
});

test('an export says the same as CSV and as JSON lines, runs no formula, and is audited [A533]', async () => {
  const hostile = ['=1+1', '@x', '+1', '-1', '\tx', '\rx', 'a "quote"; and, more\nlines', 'plain'];
  const user_id = await idOf('dan');
  for (const detail of hostile) {
    await database.query(
      "insert into audit_events (event, user_id, request_id, detail) values ('mail_given_up', $1, 'x', $2)",
      [user_id, detail],
    );
  }
  const page = await root.visit('/admin/events?user=dan&event=mail_given_up');
  const csv = await root.submit(page, 'value="csv"');
  const jsonl = await root.submit(page, 'value="jsonl"');
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="audit.csv"');
  assert.equal(csv.headers.get('cache-control'), 'no-store');
  assert.equal(csv.headers.get('x-content-type-options'), 'nosniff');
  const said = jsonl.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).detail);
  assert.deepEqual(said.toReversed(), hostile);
  for (const detail of hostile) {
    const cell = `"${/^[=@+\-\t\r]/.test(detail) ? "'" : ''}${detail.replaceAll('"', '""')}"`;
    assert.ok(csv.text.includes(`,${cell},`), detail);
  }
  const audited = await database.query(
    "select detail from audit_events where event = 'audit_exported' order by happened_at",
  );
  assert.deepEqual(
    audited.rows.map(({ detail }) => detail),
    ['csv', 'jsonl'],
  );
  assert.equal((await bob.submit(page, 'value="csv"')).status, 404);
  assert.equal((await root.open('/admin/events/export', { method: 'POST' })).status, 403);
  const both = await root.submit(await root.visit('/admin/events?q=words+revoked&user=carol'), 'value="jsonl"');
  assert.equal(both.text.split('\n').filter((line) => line.includes('"words"')).length, 2);
});

test('what somebody did is found by who did it: as an administrator, at the command line, or both [A533]', async () => {
  const root_id = await idOf('root');
  await database.query(
    `insert into audit_events (happened_at, event, user_id, request_id, by_user_id, by_system_user)
     select now() - (n + 1) * interval '1 second', 'resource_deleted', 7, 'done', case n % 3 when 0 then $1::integer end, case n % 3 when 1 then 'root' when 2 then 'ci' end
     from generate_series(1, 240) n`,
    [root_id],
  );
  const count = (text: string) => text.split('<code>resource_deleted</code>').length - 1;
  let [seen, pages] = [0, 0];
  let address: string | undefined = '/admin/events?by=root&event=resource_deleted';
  while (address !== undefined) {
    const { text } = await root.visit(address);
    seen += count(text);
    pages += 1;
    address = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.deepEqual([seen, pages], [160, 4]);
  assert.equal(count((await root.visit('/admin/events?by=nobody')).text), 0);
  const exported = await root.submit(await root.visit('/admin/events?by=ci'), '/admin/events/export"', {
    format: 'jsonl',
  });
  const lines = exported.text.trim().split('\n');
  assert.equal(lines.length, 80);
  assert.ok(lines.every((line) => JSON.parse(line).by_system_user === 'ci'));
});

test('a page of what happened has fifty events at most, also of 5,000 of one moment, and each of them is on one page and in an export', async () => {
  const address = '192.0.2.50';
  await database.query(
    "insert into audit_events (event, request_id, address) select 'session_ended', 'one-' || n, $1 from generate_series(1, 5000) n",
    [address],
  );
  const ids = (text: string) => [...text.matchAll(/one-\d+/g)].map(([id]) => id);
  const seen: string[] = [];
  for (let next: string | undefined = `/admin/events?address=${address}`; next !== undefined; ) {
    const { text }: Page = await root.visit(next);
    const shown = new Set(ids(text));
    assert.ok(shown.size <= 50, `${shown.size} events on a page`);
    seen.push(...shown);
    next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.deepEqual([seen.length, new Set(seen).size], [5000, 5000]);
  const unfiltered = await root.visit('/admin/events');
  assert.ok(unfiltered.text.length < 100_000, `${unfiltered.text.length} characters`);
  const exported = await root.submit(await root.visit(`/admin/events?address=${address}`), 'value="jsonl"');
  assert.deepEqual(ids(exported.text).toSorted(), seen.toSorted());
});

test('an administrator ends one session of a person, whose other sessions go on, and the trail names the administrator', async () => {
  await registerPeople(database, ['mia']);
  const [earlier, latest] = [await signedInBrowser(origin, 'mia'), await signedInBrowser(origin, 'mia')];
  const page = await personOf('mia');
  const ended = await root.submit(page, 'name="session"');
  assert.match(ended.text, /role="status">\s*<p>The session has ended\./);
  assert.deepEqual([(await latest.open('/account')).status, (await earlier.open('/account')).status], [302, 200]);
  assert.match((await root.submit(page, 'name="session"')).text, /already ended, or a new sign-in has replaced it/);
  const told = /Session ended(?:(?!<\/li>).)*/s.exec((await earlier.open('/account/activity')).text)?.[0];
  assert.match(
    told ?? '',
    /By the operator of this server/,
    'the person does not see the address of the administrator',
  );
  assert.doesNotMatch(told ?? '', /127\.0\.0\.1|::1/);
  const events = (await eventsOf('mia')).filter(({ event }) => event === 'session_ended');
  assert.deepEqual(
    events.map(({ by_root }) => by_root),
    [true],
  );
  assert.equal((await earlier.open('/account')).status, 200);
  assert.doesNotMatch((await personOf('root')).text, /name="session"/, 'their own sessions they end in their account');
});

test('an address with which another person signs in is refused with a link to that account', async () => {
  await registerPeople(database, ['nia', 'oda']);
  await database.query("update users set email = 'oda@example.com', email_verified = true where username = 'oda'");
  const { rows } = await database.query("select user_id from users where username = 'oda'");
  const typed = { email: 'oda@example.com', vouched: 'true' };
  const refused = await root.submit(await personOf('nia'), 'id="change"', typed);
  assert.equal(refused.status, 400);
  const link = `<a href="/admin/people/${rows[0].user_id}">oda</a>`;
  const said = `oda@example.com already belongs to another account: ${link}`;
  assert.ok(refused.text.includes(`id="email-problem">${said}</p>`));
  assert.ok(refused.text.includes(`<a href="#email">Email address</a> – ${said}</li>`), 'in the summary, too');
});
