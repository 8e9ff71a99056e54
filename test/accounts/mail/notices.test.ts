import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import { noticeOf } from '../../../src/audit/notices.ts';
import { writeMail } from '../../../src/mail/mail.ts';
import { languages } from '../../../src/web/language.ts';
import { Browser } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { getUser, obtainCode, redeem } from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { setUpApp } from '../../support/second-factor.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const { origin, database, deps, url } = await startLatchkey({ SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example' });
await registerPrinter(database, { name: 'Photo Printer evil.example' });

let count = 0;
async function newPerson(): Promise<string> {
  count += 1;
  await registerPeople(database, [`person-${count}`]);
  await database.query('delete from attempts');
  await subjects();
  return `person-${count}`;
}

async function signIn(name: string, word = password, browser = new Browser(origin)): Promise<Browser> {
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: name, password: word });
  return browser;
}

/** The subjects of all mails since the last look. */
async function subjects(): Promise<string[]> {
  while ((await sendWaitingMails(deps)) > 0);
  return box.mails.splice(0).map(({ subject }) => subject);
}

/** Queues the mail as the statement of the change does. */
const queueNotice = (event: 'passkey_added' | 'identity_linked', user_id: number) =>
  database.query("insert into mails (kind, user_id, sealed) values ('notice', $1, $2)", [
    user_id,
    noticeOf(deps, { address: '192.0.2.1' }, { event, user_id }),
  ]);

const newBrowser = 'New sign-in to your account at Latchkey';
const changed = 'Your password at Latchkey was changed';
const allowed = 'An application has access to your account at Latchkey';

test('the mail about a sign-in and the recent activity name browser and system, and nothing else that a browser says', async () => {
  for (const [user_agent, device] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 https://evil.example', 'Firefox · Linux'],
    ['https://evil.example', '–'],
  ] as const) {
    const name = await newPerson();
    const browser = new Browser(origin, (url, init) =>
      fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), 'user-agent': user_agent } }),
    );
    await signIn(name, password, browser);
    while ((await sendWaitingMails(deps)) > 0);
    const { text } = await box.next(`${name}@example.com`);
    assert.match(text, new RegExp(`not used before: ${device}, on `));
    assert.doesNotMatch(text, /evil/);
    const activity = (await browser.visit('/account/activity')).text;
    assert.equal(activity.includes('<bdi>Firefox · Linux</bdi>'), device !== '–');
    assert.doesNotMatch(activity, /evil/);
  }
});

test('a sign-in is told once for each browser; its link ends the session and leads to a new password', async () => {
  const name = await newPerson();
  const thief = await signIn(name);
  while ((await sendWaitingMails(deps)) > 0);
  const mail = await box.next(`${name}@example.com`);
  assert.match(mail.text, /on \d{4}-\d\d-\d\d \d\d:\d\d UTC, from the IP address 127\.0\.0\.1/);
  assert.deepEqual(await subjects(), [newBrowser]);
  await thief.submit(await thief.visit('/'), 'action="/logout"');
  await signIn(name, password, thief);
  assert.deepEqual(await subjects(), [], 'the same browser is not new');
  const victim = new Browser(origin);
  const reset = await victim.submit(await victim.visit(linkIn(mail)), 'id="undo"');
  assert.match((await thief.open('/account')).location ?? '', /^\/login/);
  await victim.submit(reset, 'id="save"', { new_password: 'mine again, and longer' });
  assert.deepEqual(await subjects(), [changed]);
  const { rows } = await database.query(
    "select event from audit_events where event in ('account_secured', 'password_reset') order by happened_at desc limit 2",
  );
  assert.deepEqual(
    rows.map(({ event }) => event),
    ['password_reset', 'account_secured'],
  );
});

test('an application with lasting access is told the first time, by a name that leads nowhere; its link takes the access back', async () => {
  const name = await newPerson();
  const browser = await signIn(name);
  await subjects();
  const token = (await redeem(origin, await obtainCode(browser))).body['access_token'];
  while ((await sendWaitingMails(deps)) > 0);
  const mail = await box.next(`${name}@example.com`);
  assert.equal(mail.subject, allowed);
  assert.match(mail.text, /Photo Printer evil\.\u2060example/);
  await subjects();
  await obtainCode(browser, { prompt: 'consent' });
  assert.deepEqual(await subjects(), []);
  const victim = new Browser(origin);
  await victim.submit(await victim.visit(linkIn(mail)), 'id="undo"');
  assert.equal((await getUser(origin, token)).status, 401);
});

test('access for once or for 30 days is not told, and the account page turns such mails off; not those of security', async () => {
  const name = await newPerson();
  const browser = await signIn(name);
  await subjects();
  await obtainCode(browser, {}, { duration: '30d' });
  assert.deepEqual(await subjects(), []);
  await database.query('delete from grants');
  const account = await browser.visit('/account');
  const off = await browser.submit(account, 'id="save-notices"', { wants_notices: undefined });
  assert.doesNotMatch(off.text, /id="wants_notices"[^>]* checked/);
  await obtainCode(browser);
  assert.deepEqual(await subjects(), []);
  await signIn(name);
  assert.deepEqual(await subjects(), [newBrowser]);
  const on = await browser.submit(await browser.visit('/account'), 'id="save-notices"', { wants_notices: 'true' });
  assert.match(on.text, /id="wants_notices"[^>]* checked/);
});

test('a changed password is told; its link is good after the change, since whoever made it may be somebody else', async () => {
  const name = await newPerson();
  const thief = await signIn(name);
  await subjects();
  const new_password = 'the password of a thief';
  const form = { old_password: password, new_password, repeat_password: new_password };
  await thief.submit(await thief.visit('/account/security'), 'class="primary">Change password', form);
  while ((await sendWaitingMails(deps)) > 0);
  const mail = await box.next(`${name}@example.com`);
  assert.equal(mail.subject, changed);
  const victim = new Browser(origin);
  const reset = await victim.submit(await victim.visit(linkIn(mail)), 'id="undo"');
  await victim.submit(reset, 'id="save"', { new_password: 'mine again, and longer' });
  const answer = await signIn(name, new_password);
  assert.match((await answer.open('/account')).location ?? '', /^\/login/);
});

test('a second factor that a thief has set up is told; its link turns it off with the password, and one of before stays', async () => {
  for (const had of [false, true]) {
    const name = await newPerson();
    const browser = await signIn(name);
    if (had) {
      await setUpApp(browser);
      // long before the mail
      for (const change of [
        "update users set second_factor_since = now() - interval '1 day' where username = $1",
        "update totp_factors set created_at = now() - interval '1 day' where user_id = (select user_id from users where username = $1)",
      ]) {
        await database.query(change, [name]);
      }
    }
    await subjects();
    if (had) await browser.submit(await browser.visit('/account/security'), 'id="new-codes"', { password });
    else await setUpApp(browser);
    while ((await sendWaitingMails(deps)) > 0);
    const mail = await box.next(`${name}@example.com`);
    assert.equal(mail.subject, 'Your second factor at Latchkey was changed');
    const victim = new Browser(origin);
    const page = await victim.visit(linkIn(mail));
    assert.equal(page.text.includes('name="password"'), !had);
    const reset = await victim.submit(page, 'id="undo"', had ? {} : { password });
    await victim.submit(reset, 'id="save"', { new_password: 'mine again, and longer' });
    assert.match((await browser.open('/account')).location ?? '', /^\/login/);
    const again = new Browser(origin);
    const half = await again.submit(await again.visit('/login'), 'id="login"', {
      username: name,
      password: 'mine again, and longer',
    });
    assert.equal(half.text.includes('id="verify"'), had);
    assert.equal((await victim.open('/account')).status, had ? 302 : 200);
    await subjects();
  }
});

test('where a thief has replaced the factor, the link leaves no second step that nobody can take', async () => {
  const name = await newPerson();
  const thief = await signIn(name);
  await setUpApp(thief);
  // the factor of before was a security key, which the thief has removed
  await database.query("update users set second_factor_since = now() - interval '1 day' where username = $1", [name]);
  while ((await sendWaitingMails(deps)) > 0);
  const mail = await box.next(`${name}@example.com`, /second factor/);
  const victim = new Browser(origin);
  const page = await victim.visit(linkIn(mail));
  const wrong = await victim.submit(page, 'id="undo"', { password: 'a guess' });
  assert.equal(wrong.status, 400);
  assert.match(
    wrong.text,
    /This password is incorrect\. Try again, or choose “Keep this for now”\.<\/p>/,
    'a way out for whoever no longer knows the password',
  );
  for (const { text } of [page, wrong]) {
    assert.match(
      text,
      /Remove this[\s\S]*name="password"[\s\S]*Keep this for now[\s\S]*ask the operator of this server to remove it/,
    );
  }
  assert.match(wrong.text, /<time datetime="[^"]+"[^>]*>[^<]+<\/time>\?[\s\S]*you then set a new password/);
  const reset = await victim.submit(wrong, 'id="undo"', { password });
  await victim.submit(reset, 'id="save"', { new_password: 'mine again, and longer' });
  assert.equal((await victim.open('/account')).status, 200);
  const again = await signIn(name, 'mine again, and longer');
  assert.equal((await again.open('/account')).status, 200);
  const { rows } = await database.query(
    `select event from audit_events join users using (user_id) where username = $1 and event in ('current_password_wrong', 'second_factor_removed') order by happened_at`,
    [name],
  );
  assert.deepEqual(
    rows.map(({ event }) => event),
    ['current_password_wrong', 'second_factor_removed'],
  );
});

const isAskedForCode = async (name: string, word: string) => {
  const browser = new Browser(origin);
  const half = await browser.submit(await browser.visit('/login'), 'id="login"', { username: name, password: word });
  return half.text.includes('<h1>Two-step verification</h1>');
};

test('whoever reads the mailbox alone turns no second factor off, whichever mail they have, and whatever password they set by it', async () => {
  const name = await newPerson();
  const browser = await signIn(name);
  while ((await sendWaitingMails(deps)) > 0);
  const earlier = await box.next(`${name}@example.com`, /New sign-in/);
  await database.query(
    "update mailed_links set detail = jsonb_set(detail, '{since}', to_jsonb(now() - interval '6 days'))",
  );
  await setUpApp(browser);
  while ((await sendWaitingMails(deps)) > 0);
  const later = await box.next(`${name}@example.com`, /second factor/);
  const thief = new Browser(origin);
  await thief.submit(await thief.visit('/forgot-password'), 'id="send"', { address: name });
  while ((await sendWaitingMails(deps)) > 0);
  const forgotten = await box.next(`${name}@example.com`, /new password/i);
  await thief.submit(await thief.visit(linkIn(forgotten)), 'id="save"', { new_password: 'the word of a thief' });
  for (const mail of [earlier, later]) {
    const page = await thief.visit(linkIn(mail));
    assert.match(
      page.text,
      /Two-step verification that was set up or changed since then stays: this page cannot remove it/,
    );
    // the other link is used up with it
    await database.query('create table if not exists kept_links as select * from mailed_links');
    const reset = await thief.submit(page, 'id="undo"', { password: 'the word of a thief' });
    await thief.submit(reset, 'id="save"', { new_password: 'the word of a thief' });
    assert.ok(await isAskedForCode(name, 'the word of a thief'));
    await database.query('insert into mailed_links select * from kept_links on conflict do nothing');
  }
  await database.query('drop table kept_links');
});

test('a passkey of since opens nothing alone any more; one without which nobody could take the second step stays for that', async () => {
  for (const [hasApp, hasFactor, left] of [
    [false, false, []],
    [true, true, []],
    [false, true, [false]],
  ] as const) {
    const name = await newPerson();
    const browser = await signIn(name);
    if (hasApp) await setUpApp(browser);
    await subjects();
    const { rows } = await database.query('select user_id from users where username = $1', [name]);
    const { user_id } = rows[0];
    await database.query(
      `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
       values (sha256(convert_to($2, 'UTF8')), $1, '{}', 0, '{}', true, false, 'id.example', 'of a thief')`,
      [user_id, name],
    );
    if (hasFactor)
      await database.query("update users set second_factor_since = now() - interval '1 day' where user_id = $1", [
        user_id,
      ]);
    await queueNotice('passkey_added', user_id);
    while ((await sendWaitingMails(deps)) > 0);
    const mail = await box.next(`${name}@example.com`, /new way/);
    const victim = new Browser(origin);
    await victim.submit(await victim.visit(linkIn(mail)), 'id="undo"');
    const passkeys = await database.query('select user_verified from passkeys where user_id = $1', [user_id]);
    assert.deepEqual(
      passkeys.rows.map(({ user_verified }) => user_verified),
      left,
    );
    assert.equal(await isAskedForCode(name, password), hasFactor);
  }
});

test('a notice that went to a former address undoes nothing any more', async () => {
  const name = await newPerson();
  await signIn(name);
  while ((await sendWaitingMails(deps)) > 0);
  const mail = await box.next(`${name}@example.com`);
  const stranger = new Browser(origin);
  const page = await stranger.visit(linkIn(mail));
  await database.query("update users set email = 'new-' || email where username = $1", [name]);
  assert.equal((await stranger.submit(page, 'id="undo"')).status, 410);
  assert.equal((await stranger.visit(linkIn(mail))).status, 410);
});

test('another way to sign in is told', async () => {
  const name = await newPerson();
  const { rows } = await database.query('select user_id from users where username = $1', [name]);
  await queueNotice('identity_linked', rows[0].user_id);
  assert.deepEqual(await subjects(), ['A new way to sign in at Latchkey']);
});

test('what an operator changes is told with a link that undoes it, if mail is sent', async () => {
  const name = await newPerson();
  await setUpApp(await signIn(name));
  await subjects();
  const SESSION_SECRET = 'test-secret-test-secret-test-secret';
  const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', ISSUER: origin, SESSION_SECRET };
  const { latchkey: run } = commandLineFor(url);
  assert.equal((await run(['user', 'set-password', name], { input: 'another one, and longer\n', env })).code, 0);
  assert.equal((await run(['user', 'reset-factors', name], { env })).code, 0);
  assert.equal((await run(['user', 'reset-factors', name], { env })).code, 0, 'has none any more');
  while ((await sendWaitingMails(deps)) > 0);
  for (const subject of [/password at Latchkey was set/, /second factor at Latchkey was turned off/]) {
    const mail = await box.next(`${name}@example.com`, subject);
    assert.match(mail.text, /The operator of Latchkey/);
    assert.match((await new Browser(origin).visit(linkIn(mail))).text, /id="undo"/);
  }
  await subjects();
  assert.equal((await run(['user', 'set-password', name], { input: 'a third one, and longer\n' })).code, 0);
  assert.deepEqual(await subjects(), []);
});

test('nobody without a confirmed address is told, and nobody too often', async () => {
  const name = await newPerson();
  await database.query('update users set email_verified = false where username = $1', [name]);
  await signIn(name);
  assert.deepEqual(await subjects(), []);
  await database.query('update users set email_verified = true where username = $1', [name]);
  for (let at = 0; at < 13; at += 1) await signIn(name);
  assert.equal((await subjects()).length, 10);
});

test('each notice names what happened in every language', () => {
  const names = { username: 'ada', date: '2026-11-24 10:00 UTC', address: '192.0.2.1', client: 'Printer' };
  for (const { language } of languages) {
    for (const subject of [
      'password_changed',
      'password_set',
      'factor_reset',
      'new_browser',
      'way_in_added',
      'factor_changed',
      'application_allowed',
    ] as const) {
      const { text } = writeMail(deps.config, { to: 'ada@example.com', language, subject, names });
      const isByOperator = subject === 'password_set' || subject === 'factor_reset';
      assert.ok(text.includes('ada') && text.includes('192.0.2.1') !== isByOperator, `${language} ${subject}`);
      assert.doesNotMatch(text, /[{}]/);
    }
  }
});

test('without a mail server nothing is put into the queue', async () => {
  const without = await startLatchkey({}, url);
  const name = await newPerson();
  await database.query('delete from mails');
  const browser = new Browser(without.origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: name, password });
  const { rows } = await database.query('select count(*)::integer as mails from mails');
  assert.equal(rows[0].mails, 0);
});

test('whoever has entered the right password and five wrong codes is told of, once', async () => {
  const name = await newPerson();
  await setUpApp(await signIn(name));
  await subjects();
  for (let at = 1; at <= 7; at += 1) {
    const stranger = new Browser(origin);
    const step = await stranger.submit(await stranger.visit('/login'), 'id="login"', { username: name, password });
    await stranger.submit(step, 'id="verify"', { code: 'abcde-fghij' });
    await database.query("update attempts set blocked_until = '-infinity' where user_id is not null");
    assert.deepEqual(await subjects(), at === 5 ? ['Someone knows your password at Latchkey'] : [], `${at}`);
  }
});
