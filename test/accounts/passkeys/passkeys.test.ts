import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePasskey, optionsIn, signInWith, usePasskey } from '../../support/authenticator.ts';
import { Browser, formRequest } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { diagnose } from '../../support/doctor.ts';
import { authorizationQuery, codeIn, signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { addPasskey, passkeyIssuer as issuer, newPasskeyPage } from '../../support/passkeys.ts';
import { codesOn } from '../../support/second-factor.ts';

const { origin, database, url, logged } = await startLatchkey({ ISSUER: issuer });
const second = await startLatchkey({ ISSUER: issuer }, url);
await registerPeople(database, ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']);
await registerPrinter(database);

const one = async (text: string, ...values: unknown[]) => (await database.query(text, values)).rows[0];
const eventsOf = async (name: string) =>
  (
    await database.query(
      `select event, detail from audit_events
       where user_id = (select user_id from users where username = $1) order by happened_at`,
      [name],
    )
  ).rows;
const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;

for (const alg of ['ES256', 'EdDSA', 'RS256'] as const) {
  test(`a person adds a passkey of ${alg} and signs in with it, without a name and a password`, async () => {
    const { passkey, answer } = await addPasskey(await signedInBrowser(origin), {}, { alg });
    assert.match(answer.text, /Passkey added\. You can use it from now on/);
    const browser = new Browser(origin);
    const page = await signInWith(browser, issuer, passkey);
    assert.equal(page.status, 200);
    assert.match(page.text, /alice Liddell/);
    const session = await one('select methods from sessions order by created_at desc limit 1');
    assert.deepEqual(session.methods, ['passkey']);
  });
}

test('a passkey answers the authorization request for which the sign-in began', async () => {
  const { passkey } = await addPasskey(await signedInBrowser(origin, 'bob'));
  const browser = new Browser(origin);
  const consent = await signInWith(browser, issuer, passkey, {}, `/authorize?${authorizationQuery()}`);
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
});

test('a browser in which somebody signs in with a passkey is new once', async () => {
  await registerPeople(database, ['nora']);
  const { passkey } = await addPasskey(await signedInBrowser(origin, 'nora'));
  const browser = new Browser(origin);
  const isNew = async () => {
    const before = logged.length;
    await signInWith(browser, issuer, passkey);
    const event = logged
      .slice(before)
      .map((line) => JSON.parse(line))
      .find((line) => line.event === 'signed_in');
    await browser.submit(await browser.visit('/'), 'action="/logout"');
    return event.is_new === true;
  };
  assert.deepEqual([await isNew(), await isNew()], [true, false]);
});

test('the events say that a passkey was added, and with what somebody signed in', async () => {
  const events = await eventsOf('bob');
  assert.deepEqual(
    events.filter(({ event }) => event === 'passkey_added' || event === 'signed_in'),
    [
      { event: 'signed_in', detail: 'password' },
      { event: 'passkey_added', detail: 'node' },
      { event: 'signed_in', detail: 'passkey' },
    ],
  );
});

test('a silent request for two factors finds that whoever has a passkey can sign in with it', async () => {
  const silent = `/authorize?${authorizationQuery({ acr_values: '2', prompt: 'none' })}`;
  for (const [name, error] of [
    ['bob', 'login_required'],
    ['carol', 'unmet_authentication_requirements'],
  ] as const) {
    const browser = await signedInBrowser(origin, name);
    assert.equal(new URL((await browser.visit(silent)).location ?? '').searchParams.get('error'), error);
  }
});

test('what the sign-in page asks of browsers depends on nobody, and costs no row', async () => {
  const before = await one('select count(*)::integer from used_proofs');
  const browser = new Browser(origin);
  const plain = optionsIn(await browser.visit('/login'));
  const hinted = optionsIn(await browser.visit(`/login?${authorizationQuery({ login_hint: 'alice' })}`));
  assert.deepEqual({ ...hinted, challenge: '' }, { ...plain, challenge: '' });
  assert.deepEqual(Object.keys(plain).sort(), ['challenge', 'rpId', 'timeout', 'userVerification']);
  assert.deepEqual(await one('select count(*)::integer from used_proofs'), before);
});

test('people have random handles, the same for each of their passkeys', async () => {
  const browser = await signedInBrowser(origin, 'bob');
  const ids = [];
  for (let round = 0; round < 2; round += 1) ids.push(optionsIn(await newPasskeyPage(browser)).user?.id);
  const alice = optionsIn(await newPasskeyPage(await signedInBrowser(origin))).user?.id;
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], alice);
  assert.equal(Buffer.from(ids[0] ?? '', 'base64url').length, 32);
});

test('one answer sent twenty times at once to two instances signs in once', async () => {
  const { passkey } = await addPasskey(await signedInBrowser(origin, 'carol'));
  const browser = new Browser(origin);
  const page = await browser.visit('/login?to=/account');
  const [path, init] = formRequest(page, 'id="passkey"', usePasskey(issuer, optionsIn(page), passkey));
  const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = (_: unknown, index: number) =>
    fetch(path.replace(origin, index % 2 ? origin : second.origin), {
      ...init,
      headers: { ...(init.headers as Record<string, string>), cookie, origin: issuer },
      redirect: 'manual',
    });
  const answers = await Promise.all(Array.from({ length: 20 }, send));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [302, ...Array(19).fill(401)].toSorted());
  const sessions = await one(`select count(*)::integer from sessions where methods = '{passkey}' and user_id =
    (select user_id from users where username = 'carol')`);
  assert.equal(sessions.count, 1);
});

test('one new passkey sent twenty times at once is stored once', async () => {
  const browser = await signedInBrowser(origin, 'dave');
  const page = await newPasskeyPage(browser);
  const [path, init] = formRequest(page, 'id="create"', makePasskey(issuer, optionsIn(page)).fields);
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.open(path, init)));
  assert.equal(answers.filter(({ status }) => status === 302).length, 1);
  const { count } = await one(
    `select count(*)::integer from passkeys join users using (user_id) where username = 'dave'`,
  );
  assert.equal(count, 1);
});

test('a passkey is renamed and removed, and works no more', async () => {
  const browser = await signedInBrowser(origin, 'dave');
  const { passkey } = await addPasskey(browser, { fields: { name: '<b>key\u202e of lk_zz_ dave' } });
  const account = await browser.visit('/account/security');
  assert.match(account.text, /&lt;b&gt;key of lk_zz_ dave/);
  const href = /<bdi>&lt;b&gt;key[\s\S]*?href="([^"]+passkeys[^"]+)"/.exec(account.text)?.[1] ?? '';
  const own = await browser.visit(href);
  assert.match(own.text, /Never used<br>Added on/);
  const nameless = await browser.submit(own, 'id="rename"', { name: ' ' });
  assert.equal(nameless.status, 400);
  assert.match(nameless.text, /href="#name">Name<[\s\S]*<p class="problem" id="name-problem">Enter a name\./);
  const renamed = await browser.submit(await browser.visit(href), 'id="rename"', { name: 'x'.repeat(10_000) });
  assert.match(renamed.text, /Passkey renamed\./);
  assert.match(renamed.text, /<bdi>x{59}…<\/bdi>/);
  await database.query(`update sessions set auth_time = now() - interval '16 minutes'`);
  const refused = await browser.submit(await browser.visit(href), 'id="remove"', { password: 'wrong' });
  assert.equal(refused.status, 400);
  const removed = await browser.submit(await browser.visit(href), 'id="remove"', { password });
  assert.match(removed.text, /Passkey removed\. It no longer works here/);
  assert.equal((await signInWith(new Browser(origin), issuer, passkey)).status, 401);
  assert.ok((await eventsOf('dave')).some(({ event }) => event === 'passkey_removed'));
});

test('the account page says when and where a passkey was used', async () => {
  const browser = await signedInBrowser(origin, 'dave');
  const { passkey } = await addPasskey(browser);
  assert.match((await browser.visit('/account/security')).text, /Never used/);
  await signInWith(new Browser(origin), issuer, passkey);
  const row = await one(
    'select last_used_address, last_used_agent from passkeys where credential_id = $1',
    passkey.credential_id,
  );
  assert.deepEqual(row, { last_used_address: '127.0.0.1', last_used_agent: 'node' });
});

test('a person without a password is refused by the password form, and can set one again', async () => {
  const browser = await signedInBrowser(origin, 'erin');
  const early = await browser.visit('/account/security');
  assert.doesNotMatch(early.text, /id="remove-password"/);
  const { passkey } = await addPasskey(browser);
  await database.query(`update sessions set auth_time = now() - interval '16 minutes'`);
  const page = await browser.visit('/account/password/remove');
  assert.equal((await browser.submit(page, 'id="remove"', { password: 'wrong' })).status, 400);
  assert.match((await browser.submit(page, 'id="remove"', { password })).text, /Password removed/);
  const form = new Browser(origin);
  const refused = await form.submit(await form.visit('/login'), 'id="login"', { username: 'erin', password });
  assert.equal(refused.status, 401);

  const again = new Browser(origin);
  await signInWith(again, issuer, passkey);
  const setting = await again.visit('/account/password/set');
  const fresh = 'curiouser and curiouser';
  const short = await again.submit(setting, 'id="save"', { new_password: 'short', repeat_password: 'short' });
  assert.equal(short.status, 400);
  const set = await again.submit(setting, 'id="save"', { new_password: fresh, repeat_password: fresh });
  assert.match(set.text, /Password set/);
  const back = new Browser(origin);
  await back.submit(await back.visit('/login'), 'id="login"', { username: 'erin', password: fresh });
  assert.ok(await isSignedIn(back));
});

test('a seed that is run again brings no removed password back', async () => {
  await registerPeople(database, ['olga']);
  const browser = await signedInBrowser(origin, 'olga');
  await addPasskey(browser);
  await browser.submit(await browser.visit('/account/password/remove'), 'id="remove"', { password });
  await registerPeople(database, ['olga']);
  const olga = await one(`select password_bcrypt, password_hash from users where username = 'olga'`);
  assert.deepEqual(olga, { password_bcrypt: null, password_hash: null });
});

test('no other origin is permitted to use the passkeys of this one', async () => {
  assert.equal((await new Browser(origin).visit('/.well-known/webauthn')).status, 404);
});

test('a sign-in that is not fresh neither sets a password nor adds a passkey', async () => {
  const browser = await signedInBrowser(origin, 'frank');
  await database.query(`update users set password_bcrypt = null where username = 'frank'`);
  const pages = await Promise.all(
    ['/account/password/set', '/account/passkeys/new'].map((path) => browser.visit(path)),
  );
  const [setting] = pages;
  assert.ok(setting && pages.every(({ text }) => /id="save"|id="create"/.test(text)));
  await database.query(`update sessions set auth_time = now() - interval '16 minutes'`);
  const changes = { new_password: 'a long password', repeat_password: 'a long password' };
  assert.equal((await browser.submit(setting, 'id="save"', changes)).status, 403);
  assert.match((await browser.visit('/account/passkeys/new')).text, /id="again"/);
});

/** Gives a person a passkey and no password, and signs them in in two browsers. */
async function withTwoWays(name: string) {
  const browser = await signedInBrowser(origin, name);
  const { passkey } = await addPasskey(browser, { fields: { name: 'first' } });
  const { passkey: other } = await addPasskey(browser, { fields: { name: 'second' } });
  await browser.submit(await browser.visit('/account/password/remove'), 'id="remove"', { password });
  return { browser, passkey, other };
}

test('of two tabs that each remove one of two last passkeys, one succeeds', async () => {
  await registerPeople(database, ['gina']);
  const { browser, passkey } = await withTwoWays('gina');
  const account = await browser.visit('/account/security');
  const hrefs = [...account.text.matchAll(/href="(\/account\/passkeys\/[0-9a-f]{32})"/g)].map(([, href = '']) => href);
  assert.equal(hrefs.length, 2);
  const pages = await Promise.all(hrefs.map((href) => browser.visit(href)));
  const requests = pages.map((page) => formRequest(page, 'id="remove"'));
  const answers = await Promise.all(requests.map(([path, init]) => browser.open(path, init)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 409]);
  assert.match(answers.find(({ status }) => status === 409)?.text ?? '', /your last way to sign in/);
  const left = await one(
    `select count(*)::integer from passkeys where user_id =
    (select user_id from passkeys where credential_id = $1) or user_id = (select user_id from users where username = 'gina')`,
    passkey.credential_id,
  );
  assert.equal(left.count, 1);
});

test('a password and the only passkey that are removed at once leave one of them', async () => {
  await registerPeople(database, ['hugo']);
  const browser = await signedInBrowser(origin, 'hugo');
  await addPasskey(browser);
  const href =
    /href="(\/account\/passkeys\/[0-9a-f]{32})"/.exec((await browser.visit('/account/security')).text)?.[1] ?? '';
  const pages = await Promise.all(['/account/password/remove', href].map((path) => browser.visit(path)));
  const requests = pages.map((page) => formRequest(page, 'id="remove"', { password }));
  await Promise.all(requests.map(([path, init]) => browser.open(path, init)));
  const left =
    await one(`select (password_bcrypt is not null)::integer + (select count(*) from passkeys where passkeys.user_id = users.user_id)::integer as ways
    from users where username = 'hugo'`);
  assert.equal(left.ways, 1);
});

test('a person has twenty passkeys at most', async () => {
  await registerPeople(database, ['ines']);
  const browser = await signedInBrowser(origin, 'ines');
  const { passkey } = await addPasskey(browser);
  const page = await newPasskeyPage(browser);
  await database.query(
    `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
     select decode(lpad(number::text, 4, '0'), 'hex'), user_id, public_key, 0, '{}', true, false, rp_id, number::text
     from passkeys, generate_series(1, 19) number where credential_id = $1`,
    [passkey.credential_id],
  );
  const answer = await browser.submit(page, 'id="create"', makePasskey(issuer, optionsIn(page)).fields);
  assert.equal(answer.status, 400);
  assert.match((await browser.visit('/account/security')).text, /the maximum number of passkeys/);
});

test('a security key is a second factor only: it turns on two-step sign-in with recovery codes, and stays while it is the only one', async () => {
  await registerPeople(database, ['jane']);
  const browser = await signedInBrowser(origin, 'jane');
  const { passkey, answer } = await addPasskey(browser, { flags: 1 | 64 }, { path: '/account/passkeys/new-key' });
  assert.equal(codesOn(answer).length, 10);
  const account = await browser.visit('/account/security');
  assert.match(account.text, /A security key is set up\.[\s\S]*Only for two-step verification/);
  assert.match(account.text, /Turned on\.<[\s\S]*>Set up an app<\/button>/, 'there is no app yet');
  assert.doesNotMatch(account.text, /id="remove-password"/);
  const [, row = ''] = /href="(\/account\/passkeys\/[^"]+)">Rename/.exec(account.text) ?? [];
  const kept = await browser.submit(await browser.visit(row), 'id="remove"', { password });
  assert.equal(kept.status, 409);
  assert.match(
    kept.text,
    /your only second factor[\s\S]*passkeys\/new">Add another[\s\S]*security#factor">Set up[\s\S]*<\/ul>[\s\S]*security#factor">Turn off two-step verification</,
  );
  assert.doesNotMatch(kept.text, /id="remove"/, 'a form that would be refused again');
  assert.equal((await signInWith(new Browser(origin), issuer, passkey)).status, 401);
});

test('somebody without an app is not asked for its code before a change, but signs in again', async () => {
  await registerPeople(database, ['judy']);
  const browser = await signedInBrowser(origin, 'judy');
  const { answer } = await addPasskey(browser, { flags: 1 | 64 }, { path: '/account/passkeys/new-key' });
  const [code = ''] = codesOn(answer);
  const asks = /name="(password_)?code"/;
  const fresh = await browser.visit('/account/security');
  assert.doesNotMatch(fresh.text, asks);
  await database.query("update sessions set auth_time = now() - interval '1 hour'");
  const stale = await browser.visit('/account/security');
  assert.doesNotMatch(stale.text, asks);
  const change = { old_password: password, new_password: 'a long new word', repeat_password: 'a long new word' };
  const old = await browser.submit(fresh, 'name="old_password"', change);
  assert.equal(old.status, 403);
  const [, href = ''] = /class="button" href="([^"]*\/login\?[^"]*)"/.exec(stale.text) ?? [];
  const second = await browser.submit(await browser.visit(href.replaceAll('&amp;', '&')), 'id="login"', {
    username: 'judy',
    password,
  });
  const again = await browser.submit(second, 'id="recover"', { code });
  assert.equal(new URL(again.url).pathname, '/account/security');
  assert.match((await browser.submit(again, 'name="old_password"', change)).text, /Password changed/);
});

test('the doctor says which passkeys die by a move of the issuer to another host', async () => {
  await registerPeople(database, ['kate']);
  const kate = await signedInBrowser(origin, 'kate');
  await addPasskey(kate);
  const isDead =
    /This key does not work here, because it was added at <bdi[^>]*>login\.example<[\s\S]*#removal">Remove</;
  const changeable = />Rename or remove</;
  const alive = (await kate.visit('/account/security')).text;
  assert.match(alive, changeable);
  assert.match(alive, /"tag dot">A passkey is set up\.</);
  assert.doesNotMatch(alive, isDead);
  const doctor = async (ISSUER: string) =>
    (await diagnose({ DATABASE_URL: url, ISSUER })).found.get('user_passkeys_dead');
  assert.equal(await doctor(issuer), undefined);
  const moved = await doctor('https://login.example');
  assert.match(moved?.value ?? '', /^\d+ of id\.example$/);
  assert.equal(moved?.severity, 'warning');
  await database.query(
    `update passkeys set rp_id = 'login.example' where name = 'first' or user_id = (select user_id from users where username = 'kate')`,
  );
  assert.match(
    (await doctor('https://login.example'))?.value ?? '',
    /^\d+ of id\.example; \d+ of login\.example work$/,
  );
  const afterMove = (await kate.visit('/account/security')).text;
  assert.match(afterMove, isDead);
  assert.match(afterMove, /"tag dot off">No key works here\.</);
  assert.doesNotMatch(afterMove, changeable);
});

test('the list of people says who has a password and how many passkeys', async () => {
  await registerPeople(database, ['liam']);
  const browser = await signedInBrowser(origin, 'liam');
  await addPasskey(browser);
  await browser.submit(await browser.visit('/account/password/remove'), 'id="remove"', { password });
  const { out } = await commandLineFor(url).latchkey(['user', 'list', '--json', '--limit', '100']);
  const liam = JSON.parse(out).find(({ username }: { username: string }) => username === 'liam');
  assert.deepEqual([liam.has_password, liam.passkeys], [false, 1]);
});

test('where people sign in elsewhere, the page offers no passkeys and says so', async () => {
  await registerPeople(database, ['mona', 'nora']);
  const elsewhere = await signedInBrowser(origin, 'mona');
  await database.query(`update users set source = 'website' where username = 'mona'`);
  assert.match((await elsewhere.visit('/account/security')).text, /you sign in there, so it has no passkeys/);
  for (const path of ['passkeys/new', 'password/remove', 'password/set'])
    assert.equal((await elsewhere.visit(`/account/${path}`)).status, 404);
  const off = await startLatchkey({ ISSUER: issuer, PASSWORDS: 'off' }, url);
  assert.equal((await new Browser(off.origin).open('/.well-known/passkey-endpoints')).status, 404);
  assert.doesNotMatch((await new Browser(off.origin).visit('/login')).text, /id="passkey"/);
  const { passkey } = await addPasskey(await signedInBrowser(origin, 'nora'));
  const browser = new Browser(origin);
  const page = await browser.visit('/login');
  const [path, init] = formRequest(page, 'id="passkey"', usePasskey(issuer, optionsIn(page), passkey));
  const answer = await browser.open(path.replace(origin, off.origin), {
    ...init,
    headers: { ...init.headers, origin: issuer },
  });
  assert.doesNotMatch(answer.headers.getSetCookie().join(), /session/);
});

test('password managers learn where people add and manage passkeys', async () => {
  const { status, headers, text } = await new Browser(origin).open('/.well-known/passkey-endpoints');
  assert.deepEqual([status, headers.get('content-type')?.split(';')[0]], [200, 'application/json']);
  const { enroll, manage } = JSON.parse(text) as { enroll: string; manage: string };
  assert.deepEqual([enroll, manage], [`${issuer}/account/passkeys/new`, `${issuer}/account/security#passkeys`]);
  const browser = await signedInBrowser(origin);
  assert.equal((await browser.visit(enroll.slice(issuer.length))).status, 200);
  assert.match((await browser.visit(new URL(manage).pathname)).text, /id="passkeys"/);
});
