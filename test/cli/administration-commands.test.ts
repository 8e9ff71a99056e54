import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser } from '../support/browser.ts';
import { assertRefused, commandLineFor } from '../support/command-line.ts';
import { obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { password, printer, registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database, url } = await startWithPrinter();
await lengthenWaits(database);
await registerPeople(database, ['bob', 'carol']);
const { latchkey } = commandLineFor(url);

const json = async (...words: string[]) => {
  const { code, out, err } = await latchkey([...words, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
};
const namesIn = (people: { username: string }[]) => people.map(({ username }) => username);
/** In a browser of its own, in which nobody has signed in before. */
const signIn = async (username: string, typed = password) => {
  const browser = new Browser(origin);
  return browser.submit(await browser.open('/login'), 'id="login"', { username, password: typed });
};
const rowOf = async (username: string) =>
  (await database.query('select * from users where username = $1', [username])).rows[0];

test('user find finds by name, address and subject, and by a part of a name or an address, and takes every sign as it is', async () => {
  await database.query("update users set subject = 'hr-4711' where username = 'carol'");
  for (const text of ['bob', 'BOB', 'bob@example.com', 'bo', 'ob@exa']) {
    assert.deepEqual(namesIn(await json('user', 'find', text)), ['bob'], text);
  }
  assert.deepEqual(namesIn(await json('user', 'find', 'hr-4711')), ['carol']);
  assert.equal((await json('user', 'find', 'example.com')).length, 3);
  for (const text of ['%', '_', '\\', '%'.repeat(200), 'b%b', 'b_b', "' or 1=1--", '.*', 'ob', 'x'.repeat(10_000)]) {
    assert.deepEqual(await json('user', 'find', text), [], text.slice(0, 20));
  }
  const { out } = await latchkey(['user', 'find', 'example.com', '--limit', '2']);
  assert.match(out, /There are more: enter more/);
});

test('user find finds people by addresses that nobody has confirmed', async () => {
  await database.query(
    "insert into users (username, email, pending_email) values ('dan', 'Dan@Typo.example', 'dan@right.example')",
  );
  for (const text of ['dan@typo', 'dan@right.example']) {
    assert.deepEqual(namesIn(await json('user', 'find', text)), ['dan'], text);
  }
});

test('user show tells the state of an account, and no secret', async () => {
  const browser = await signedInBrowser(origin, 'bob');
  await redeem(origin, await obtainCode(browser));
  const shown = await json('user', 'show', 'bob');
  assert.deepEqual([shown.username, shown.applications], ['bob', [printer.client_id]]);
  assert.equal(shown.sessions.length, 1);
  assert.deepEqual(shown.looks_after, []);
  await database.query(
    "update clients set owner_id = users.user_id from users where username = 'bob' and client_id = $1",
    [printer.client_id],
  );
  assert.deepEqual((await json('user', 'show', 'bob')).looks_after, [printer.client_id]);
  await database.query('update clients set owner_id = null');
  assert.doesNotMatch(JSON.stringify(shown), /\$2b|sha256/);
  assertRefused(await latchkey(['user', 'show', 'nobody']), 1, /There is no user "nobody"/);
});

test('commands take a name in any spelling, a verified address or a subject, say whom they mean, and else who is near', async () => {
  await database.query("update users set subject = 'hr-4711' where username = 'carol'");
  for (const name of ['carol', 'CAROL', 'Carol@Example.com', 'hr-4711']) {
    assert.equal((await json('user', 'show', name)).username, 'carol', name);
    assert.equal((await json('user', 'unlock', name)).username, 'carol');
    assert.deepEqual(await json('grant', 'list', '--user', name), []);
  }
  assert.match((await latchkey(['user', 'disable', 'CAROL'])).out, /Disabled the user "carol"/);
  assert.match((await latchkey(['user', 'enable', 'CAROL'])).out, /Enabled the user "carol"/);
  await latchkey(['user', 'set-password', 'Carol@example.com'], { input: 'another long password' });
  assert.notEqual((await signIn('carol', 'another long password')).status, 401);
  await database.query(
    "update users set password_bcrypt = bob.password_bcrypt from users bob where bob.username = 'bob' and users.username = 'carol'",
  );
  for (const words of [
    ['user', 'disable'],
    ['user', 'delete'],
    ['audit', '--user'],
  ]) {
    assertRefused(await latchkey([...words, 'caro']), 1, /There is no user "caro": did you mean "carol"\?$/m);
  }
  assert.equal((await rowOf('carol')).disabled_at, null);
  await database.query("update users set subject = 'bob' where username = 'carol'");
  assertRefused(await latchkey(['user', 'show', 'bob']), 1, /the name of one user and the sub of another/);
  await database.query("update users set subject = null where username = 'carol'");
});

test('user unlock lets a person try again at once, wherever the wrong passwords came from', async () => {
  for (let attempt = 0; attempt < 7; attempt += 1) await signIn('bob', 'wrong');
  assert.equal((await signIn('bob')).status, 429);
  assert.ok((await json('user', 'show', 'bob')).locked_until);
  assert.deepEqual(await json('user', 'unlock', 'bob'), { username: 'bob', unlocked: true });
  assert.notEqual((await signIn('bob')).status, 429);
  assert.equal((await json('user', 'show', 'bob')).locked_until, null);
  assert.deepEqual(await json('user', 'unlock', 'bob'), { username: 'bob', unlocked: false });
});

test('user end-sessions signs a person out everywhere, and applications keep their access', async () => {
  const browser = await signedInBrowser(origin, 'carol');
  const { body } = await redeem(origin, await obtainCode(browser));
  assert.deepEqual(await json('user', 'end-sessions', 'carol'), { username: 'carol', ended: true });
  assert.equal((await browser.open('/account')).status, 302);
  assert.equal((await refresh(origin, body['refresh_token'])).status, 200);
});

test('user update changes name and address, vouches for a pending one, and keeps the last administrator', async () => {
  const updated = await json('user', 'update', 'carol', '--name', 'Carol C.', '--email', 'carol@new.example');
  assert.deepEqual([updated.name, updated.email, updated.email_verified], ['Carol C.', 'carol@new.example', true]);
  await json('user', 'update', 'dan', '--email-verified');
  const { email, email_verified, pending_email } = await rowOf('dan');
  assert.deepEqual([email, email_verified, pending_email], ['dan@right.example', true, null]);
  assertRefused(
    await latchkey(['user', 'update', 'dan', '--email', 'CAROL@new.example']),
    1,
    /Somebody else signs in with this address/,
  );
  assertRefused(await latchkey(['user', 'update', 'dan', '--email', 'nothing']), 1, /not an email address/);
  assertRefused(await latchkey(['user', 'update', 'dan']), 2, /nothing to change/);
  await json('user', 'update', 'carol', '--admin');
  assert.equal((await rowOf('carol')).is_admin, true);
  assertRefused(await latchkey(['user', 'update', 'carol', '--no-admin']), 1, /last administrator/);
  await json('user', 'update', 'bob', '--admin');
  await json('user', 'update', 'carol', '--no-admin');
  assert.equal((await rowOf('carol')).is_admin, false);
});

test('grant list and grant revoke show and end what people have allowed', async () => {
  const { body } = await redeem(
    origin,
    await obtainCode(await signedInBrowser(origin, 'carol'), { prompt: 'consent' }),
  );
  const ofCarol = await json('grant', 'list', '--user', 'carol');
  assert.deepEqual(
    ofCarol.map(({ client_id }: { client_id: string }) => client_id),
    [printer.client_id],
  );
  const ofPrinter = await json('grant', 'list', '--client', printer.client_id);
  assert.deepEqual(
    ofPrinter.map(({ user }: { user: string }) => user),
    ['carol', 'bob'],
  );
  const [first] = await json('grant', 'list', '--client', printer.client_id, '--limit', '1');
  assert.equal(first.user, 'carol');
  const ended = ['grant', 'revoke', '--user', 'carol', '--client', printer.client_id];
  assert.equal((await json(...ended)).revoked, true);
  assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  assert.equal((await json(...ended)).revoked, false);
  assertRefused(await latchkey(['grant', 'list']), 2, /one of --user and --client/);
});

test('audit finds events by each of their columns, and names the user of the system who ran a command', async () => {
  await json('user', 'disable', 'carol');
  const [event] = await json('audit', '--user', 'carol', '--event', 'user_disabled');
  assert.deepEqual([event.username, event.by_system_user, event.by_user_id], ['carol', userInfo().username, null]);
  assert.equal((await json('audit', '--request', event.request_id))[0].event, 'user_disabled');
  const revoked = await json('audit', '--client', printer.client_id, '--event', 'consent_revoked');
  assert.equal(revoked.length, 1);
  assert.ok((await json('audit', '--address', '127.0.0.1', '--event', 'signed_in')).length > 1);
  assert.deepEqual(await json('audit', '--until', '2020-01-01'), []);
  assert.ok((await json('audit', '--since', '1h')).length > 10);
  assertRefused(await latchkey(['audit', '--since', 'yesterday']), 2, /--since is no time such as 24h/);
  const { out } = await latchkey(['audit', '--user', 'carol', '--event', 'user_disabled']);
  assert.match(out, new RegExp(userInfo().username));
});

test('a person is told by mail when an operator turns off their second factor', async () => {
  await database.query("update users set second_factor_since = now() where username = 'bob'");
  const mailing = { env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com' } };
  assert.equal((await latchkey(['user', 'reset-factors', 'bob'], mailing)).code, 0);
  const { rows } = await database.query("select kind from mails join users using (user_id) where username = 'bob'");
  assert.deepEqual(rows, [{ kind: 'notice' }]);
});

test('grant revoke --all ends for good what a leaver has allowed, also when the account is enabled again', async () => {
  await registerPeople(database, ['leaver']);
  const browser = await signedInBrowser(origin, 'leaver');
  const { body } = await redeem(origin, await obtainCode(browser, { prompt: 'consent' }));
  const all = ['grant', 'revoke', '--user', 'leaver', '--all'];
  assert.deepEqual(await json(...all), { username: 'leaver', all: true, revoked: true });
  assert.deepEqual(await json(...all), { username: 'leaver', all: true, revoked: false });
  await json('user', 'disable', 'leaver');
  await json('user', 'enable', 'leaver');
  assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  const [event] = await json('audit', '--user', 'leaver', '--event', 'consent_revoked', '--limit', '1');
  assert.deepEqual([event.client_id, event.by_system_user], [printer.client_id, userInfo().username]);
  for (const options of [['--all', '--client', 'x'], []])
    assertRefused(
      await latchkey(['grant', 'revoke', '--user', 'leaver', ...options]),
      2,
      /give one of --client and --all/,
    );
});
