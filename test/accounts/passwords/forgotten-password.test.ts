import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { authorizationQuery, codeIn, getUser, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', TRUST_PROXY: '1' };
const one = await startLatchkey(env);
const two = await startLatchkey({ ...env, ISSUER: one.origin }, one.url);
const { origin, database, deps } = one;
await registerPeople(database, ['alice', 'bob', 'carol', 'dave', 'erin']);
await registerPrinter(database);

const renewed = 'a rabbit hole of nine lives';
/** What limits would remember. */
const forget = () => database.query('delete from attempts');

/** Asks for a link, as this name. */
async function ask(address: string, browser = new Browser(origin), path = '/forgot-password'): Promise<Page> {
  return browser.submit(await browser.visit(path), 'id="send"', { address });
}

/** The link in the mail that was asked for. */
async function linkFor(name: string, browser = new Browser(origin), path?: string): Promise<string> {
  await forget();
  await database.query('delete from mails');
  box.mails.length = 0;
  await ask(name, browser, path);
  await sendWaitingMails(deps);
  return linkIn(await box.next(`${name}@example.com`));
}

const save = (browser: Browser, page: Page, new_password = renewed, changes = {}) =>
  browser.submit(page, 'id="save"', { new_password, ...changes });

async function signIn(username: string, word: string): Promise<number> {
  await forget();
  const browser = new Browser(origin);
  const [path, init] = formRequest(await browser.visit('/login'), 'id="login"', { username, password: word });
  return (await browser.open(path, init)).status;
}

test('a link sets a new password once, ends all sessions, and signs in the browser', async () => {
  const before = await signedInBrowser(origin);
  const token = (await redeem(origin, await obtainCode(before))).body['access_token'];
  const browser = new Browser(origin);
  const page = await browser.visit(await linkFor('alice'));
  assert.equal(page.status, 200);
  assert.match(page.text, /alice/);
  const answer = await save(browser, page);
  assert.equal(answer.status, 200);
  assert.match(answer.text, /Your new password is set/);
  assert.match(answer.url, /\/account\?notice=password_reset$/);
  assert.ok(!browser.cookies().has('link'));
  assert.match((await before.open('/account')).location ?? '', /\/login/);
  assert.deepEqual([await signIn('alice', password), await signIn('alice', renewed)], [401, 302]);
  // applications keep what they were given, unless the box is ticked
  assert.equal((await getUser(origin, token)).status, 200);
  assert.match((await save(browser, page, renewed)).text, /Your new password is set/, 'a second click');
  const stranger = new Browser(origin);
  await stranger.visit('/login');
  const guess = await save(stranger, page, renewed);
  assert.equal(guess.status, 410, 'whoever else has the link learns nothing about the password');
  assert.match((await save(browser, page, renewed)).text, /Your new password is set/);
  const again = await save(browser, page, 'yet another password');
  assert.equal(again.status, 410);
  assert.equal(await signIn('alice', renewed), 302);
  const ending = new Browser(origin);
  await save(ending, await ending.visit(await linkFor('alice')), renewed, { end_access: 'true' });
  assert.equal((await getUser(origin, token)).status, 401);
});

test('of 20 passwords that are sent with one link to two instances, one is set [A487]', async () => {
  const link = await linkFor('bob');
  const browser = new Browser(origin);
  const page = await browser.visit(link);
  const passwords = Array.from({ length: 20 }, (_, at) => `password number ${at} of bob`);
  const answers = await Promise.all(
    passwords.map((new_password, at) => {
      const [path, init] = formRequest(page, 'id="save"', { new_password });
      return browser.open(path.replace(origin, at % 2 ? two.origin : origin), init);
    }),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [302, ...Array(19).fill(410)]);
  const winner = statuses.indexOf(302);
  assert.equal(await signIn('bob', passwords[winner] ?? ''), 302);
  assert.equal(await signIn('bob', passwords[(winner + 1) % 20] ?? ''), 401);
});

test('a link opened by a program that only looks is still good, and a refused password does not use it up [A487]', async () => {
  const link = await linkFor('carol');
  for (const method of ['GET', 'HEAD', 'GET']) await fetch(link, { method });
  const browser = new Browser(origin);
  const page = await browser.visit(link);
  const refused = await save(browser, page, 'short');
  assert.equal(refused.status, 400);
  assert.match(refused.text, /at least 8 characters/);
  assert.match((await save(browser, refused)).text, /Your new password is set/);
});

const ends: [string, string][] = [
  ['after an hour', "update mailed_links set expires_at = now() - interval '1 second'"],
  [
    'after a change of the password',
    "update users set password_bcrypt = '$2b$04$egjOucnIr8Rof0KLj4JhauniB0pJYD4NJJXf3CKkAocE0nzl89CcT' where username = 'dave'",
  ],
  ['after a change of the address', "update users set email = 'other@example.com' where username = 'dave'"],
  ['of a person who was disabled', "update users set disabled_at = now() where username = 'dave'"],
];

for (const [when, change] of ends) {
  test(`a link is over ${when}, on its page and in its form`, async () => {
    await database.query("update users set email = 'dave@example.com', disabled_at = null where username = 'dave'");
    const link = await linkFor('dave');
    const browser = new Browser(origin);
    const page = await browser.visit(link);
    assert.equal(page.status, 200);
    await database.query(change);
    const [opened, sent] = [await new Browser(origin).visit(link), await save(browser, page)];
    assert.deepEqual([opened.status, sent.status], [410, 410]);
    assert.match(opened.text, /no longer valid/);
  });
}

test('a newer link ends the one before; a secret that is cut, changed or repeated is none [A487]', async () => {
  const older = await linkFor('carol');
  const newer = await linkFor('carol');
  const statusOf = async (link: string) => (await new Browser(origin).visit(link)).status;
  assert.deepEqual([await statusOf(older), await statusOf(newer)], [410, 200]);
  const last = newer.replace(/.(?=&ui_locales)/, (character) => (character === 'A' ? 'B' : 'A'));
  assert.equal(await statusOf(last), 410);
  const token = new URL(newer).searchParams.get('token');
  assert.equal(await statusOf(`${newer}&token=${token}`), 410);
  assert.equal(await statusOf(`${origin}/reset-password?token=${'a'.repeat(10_000)}`), 410);
  assert.equal(await statusOf(`${origin}/reset-password`), 410);
});

test('a link is valid for an hour, and its database row opens nothing [A487]', async () => {
  const link = await linkFor('carol');
  const { rows } = await database.query(
    'select encode(token_sha256, $1) as digest, extract(epoch from expires_at - created_at)::integer as seconds from mailed_links where purpose = $2 order by created_at desc limit 1',
    ['hex', 'reset'],
  );
  assert.equal(rows[0].seconds, 3600);
  assert.ok(!link.includes(rows[0].digest));
});

test('the last step wants the secret itself; the session of somebody else neither helps nor changes [A488]', async () => {
  const link = await linkFor('erin');
  const bob = await signedInBrowser(origin, 'dave').catch(() => new Browser(origin));
  await database.query("update users set disabled_at = null where username = 'dave'");
  const page = await bob.visit(link);
  assert.match(page.text, /Choose a new password for the account <bdi[^>]*>erin<\/bdi>\./);
  const without = await save(bob, page, renewed, { link: '' });
  assert.equal(without.status, 410);
  const named = await save(bob, page, renewed, { username: 'carol' });
  assert.equal(named.status, 200);
  assert.equal(await signIn('erin', renewed), 302);
  // the form counts in the browser that has its key only
  const stranger = await new Browser(origin).open(
    ...formRequest(await bob.visit(await linkFor('erin')), 'id="save"', { new_password: 'password of a stranger' }),
  );
  assert.equal(stranger.status, 403);
  assert.equal(await signIn('erin', renewed), 302);
});

test('a form that another site sends puts nothing into the field of the name', async () => {
  const form = formRequest(await new Browser(origin).visit('/forgot-password'), 'name="address"', {
    address: 'of another site',
  });
  const refused = await new Browser(origin).open(...form);
  assert.equal(refused.status, 403);
  assert.doesNotMatch(refused.text, /of another site/);
});

test('the secret leaves the address before the page is shown, and the page leads nowhere else [A490]', async () => {
  const browser = new Browser(origin);
  const first = await browser.open(await linkFor('carol', new Browser(origin)));
  assert.equal(first.status, 302);
  assert.equal(first.location, '/reset-password?ui_locales=en');
  assert.equal(first.headers.get('referrer-policy'), 'no-referrer');
  assert.match(first.headers.get('set-cookie') ?? '', /(?:^|, )link=lk_ml_[\w-]+; [^,]*, [^,]*HttpOnly; SameSite=Lax/);
  const page = await browser.open(first.location ?? '');
  const links = [...page.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, url]) => url ?? '');
  assert.ok(links.length > 3 && links.every((url) => /^[/?#]/.test(url) && !url.includes('lk_ml_')), links.join(' '));
  assert.doesNotMatch(one.logged.join('\n'), /lk_ml_/);
});

test('every link begins with the configured issuer, whatever the request says [A485]', async () => {
  await forget();
  const browser = new Browser(origin);
  const [path, init] = formRequest(await browser.visit('/forgot-password'), 'id="send"', { address: 'carol' });
  const evil = 'evil.example';
  const forged = {
    'x-forwarded-host': evil,
    forwarded: `host=${evil}`,
    'x-original-host': evil,
    'x-forwarded-proto': 'http',
  };
  await browser.open(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...forged } });
  await sendWaitingMails(deps);
  const mail = await box.next('carol@example.com');
  assert.ok(linkIn(mail).startsWith(`${origin}/reset-password?token=`));
  assert.doesNotMatch(mail.raw, /evil\.example/);
});

test('the answer is the same for every name, whoever has it', async () => {
  await database.query("update users set disabled_at = now() where username = 'dave'");
  await database.query("update users set password_bcrypt = null where username = 'erin'");
  await database.query(
    "insert into users (username, email, email_verified, source) values ('wendy', 'wendy@example.com', true, 'website')",
  );
  await database.query(
    "insert into users (username, email, email_verified) values ('frank', 'frank@example.com', false)",
  );
  await forget();
  await database.query('delete from mails');
  const seen = new Set<string>();
  const sealed = new Set<number>();
  for (const name of ['carol', 'nobody', 'dave', 'erin', 'wendy', 'frank']) {
    const { status, headers, text } = await ask(name);
    assert.match(text, /no confirmed email address[^<]* contact the operator of this server/);
    const names = [...headers.keys()].filter((key) => key !== 'date').sort();
    seen.add(JSON.stringify([status, names, text.replace(/value="[^"]*"/g, '').length]));
    const { rows } = await database.query(
      'select kind, user_id, length(sealed) - $1::integer as length from mails order by mail_id desc limit 1',
      [name.length],
    );
    assert.deepEqual([rows[0].kind, rows[0].user_id], ['forgotten', null]);
    sealed.add(rows[0].length);
  }
  assert.equal(seen.size, 1, [...seen].join('\n'));
  assert.equal(sealed.size, 1);
  const { length } = box.mails;
  await sendWaitingMails(deps);
  await sendWaitingMails(deps);
  const sent = box.mails.slice(length).map(({ to, subject }) => [to.join(), subject]);
  assert.deepEqual(sent.sort(), [
    ['carol@example.com', 'Set a new password for Latchkey'],
    ['erin@example.com', 'Your account at Latchkey has no password'],
    ['wendy@example.com', 'Your account at Latchkey has no password'],
  ]);
});

test('a mail server that says nothing delays no answer', async () => {
  await forget();
  box.state.mode = 'hang';
  const connections = box.state.connections;
  const sending = ask('carol').then(() => sendWaitingMails(deps));
  while (box.state.connections === connections) await new Promise((resolve) => setTimeout(resolve, 10));
  const start = performance.now();
  for (const name of ['carol', 'nobody']) assert.equal((await ask(name)).status, 200);
  assert.ok(performance.now() - start < 2000);
  box.state.mode = 'accept';
  box.hangUp();
  await sending;
});

test('one person gets a few mails, by whichever spelling they are asked for; one network asks for some', async () => {
  await forget();
  await database.query('delete from mails');
  const { length } = box.mails;
  for (let turn = 0; turn < 3; turn += 1) {
    for (const name of ['carol', 'CAROL ', 'carol@example.com', 'Carol@EXAMPLE.com']) await ask(name);
  }
  while ((await sendWaitingMails(deps)) > 0);
  assert.equal(box.mails.length - length, 5);
  const statuses = [];
  for (let turn = 0; turn < 10; turn += 1) statuses.push((await ask(turn % 2 ? 'carol' : `nobody-${turn}`)).status);
  assert.deepEqual(statuses, [...Array(8).fill(200), 429, 429]);
  assert.match((await ask('carol')).text, /name="address" value="carol"/, 'what was typed stays in the form');
});

test('the authorization request goes on after the reset in the browser in which it began, in both sets of addresses', async () => {
  for (const [authorize, login] of [
    ['/authorize', '/login'],
    ['/login/oauth/authorize', '/login/oauth/login'],
  ] as const) {
    await forget();
    const browser = new Browser(origin);
    const page = await browser.visit(`${authorize}?${authorizationQuery()}`);
    const [, forgot = ''] = /id="forgot" href="([^"]+)"/.exec(page.text) ?? [];
    const link = await linkFor('carol', browser, forgot.replaceAll('&amp;', '&'));
    const elsewhere = await new Browser(origin).visit(link);
    assert.equal(elsewhere.status, 200);
    assert.doesNotMatch(elsewhere.text, /id="way-on"/);
    const form = await browser.visit(link);
    assert.match(
      form.text,
      /id="way-on">Next, you will continue to <bdi class="parameter-client">Photo Printer<\/bdi>/,
    );
    assert.ok(form.text.includes(`href="${login}?response_type=code&amp;client_id=photo-printer`));
    for (const page of [await save(browser, form), await save(browser, form)])
      assert.match(page.text, /id="allow"/, 'a second click leads to the application, too');
    const consent = await browser.visit(link);
    assert.match((await new Browser(origin).visit(link)).text, /no longer valid/);
    assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
    await database.query('delete from grants');
  }
  // whoever asked in another browser has no business in this one
  const stranger = new Browser(origin);
  const link = await linkFor('carol', stranger, `/forgot-password?${authorizationQuery()}`);
  const browser = new Browser(origin);
  assert.match((await save(browser, await browser.visit(link))).url, /\/account\?notice=password_reset$/);
});

test('latchkey user reset-link prints a link for a day, also to a first password, and leaves an event [A485]', async () => {
  const { latchkey } = commandLineFor(one.url);
  const run = (name: string) => latchkey(['user', 'reset-link', name, '--json'], { env: { ISSUER: origin } });
  const { url } = JSON.parse((await run('erin')).out) as { url: string };
  assert.ok(url.startsWith(`${origin}/reset-password?token=lk_ml_`));
  const browser = new Browser(origin);
  await save(browser, await browser.visit(url), 'the first of many');
  assert.equal(await signIn('erin', 'the first of many'), 302);
  for (const [name, reason] of [
    ['nobody', /no user/],
    ['dave', /disabled/],
    ['wendy', /signs in elsewhere/],
  ] as const) {
    const { code, err } = await run(name);
    assert.equal(code, 1);
    assert.match(err, reason);
  }
  const { rows } = await database.query(
    "select event from audit_events where event like 'reset_link_%' or event = 'password_reset' order by happened_at desc limit 2",
  );
  assert.deepEqual(
    rows.map(({ event }) => event),
    ['password_reset', 'reset_link_issued'],
  );
});

test('without a mail server the sign-in page says whom to ask, and a link of the operator works', async () => {
  const without = await startLatchkey({ SUPPORT_URL: 'https://help.example/accounts' }, one.url);
  const page = await new Browser(without.origin).visit('/login');
  assert.match(
    page.text,
    /contact the operator of this server.*<a id="forgot" href="https:\/\/help.example\/accounts">/,
  );
  assert.match((await new Browser(without.origin).open('/forgot-password')).location ?? '', /^\/login/);
  const { latchkey } = commandLineFor(one.url);
  const { out } = await latchkey(['user', 'reset-link', 'carol'], { env: { ISSUER: without.origin } });
  const browser = new Browser(without.origin);
  assert.match((await save(browser, await browser.visit(out.split('\n')[0] ?? ''))).text, /Your new password is set/);
});

test('where nobody has a password there is nothing to forget', async () => {
  const without = await startLatchkey({ ...env, PASSWORDS: 'off' }, one.url);
  assert.doesNotMatch((await new Browser(without.origin).visit('/login')).text, /forgot/);
  assert.match((await new Browser(without.origin).open('/forgot-password')).location ?? '', /^\/login/);
});

test('a used link tells whoever is not signed in to it, in the browser that has used it, to sign in and go on', async () => {
  await forget();
  const browser = new Browser(origin);
  await browser.visit('/login');
  const link = await linkFor('bob', browser, `/forgot-password?${authorizationQuery()}`);
  await save(browser, await browser.visit(link));
  assert.match((await browser.visit(link)).text, /id="allow"/);
  for (const name of browser.cookies().keys()) if (/session/.test(name)) browser.setCookie(name, '');
  const told = await browser.visit(link);
  assert.match(told.text, /Your new password is set.*Sign in with the new password/s);
  assert.match(told.text, /href="\/login\?response_type=code&amp;client_id=photo-printer/);
  await database.query('delete from used_proofs');
  assert.equal((await browser.visit(link)).status, 410);
});
