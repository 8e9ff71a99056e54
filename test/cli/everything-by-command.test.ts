import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { sendWaitingMails } from '../../src/accounts/mail/mailing.ts';
import { noteSecretUse } from '../../src/clients/client-secrets.sql.ts';
import { registerRefusal } from '../../src/clients/refusals.sql.ts';
import { Browser } from '../support/browser.ts';
import { assertRefused, commandLineFor } from '../support/command-line.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

const box = await startSmtpServer();
const SESSION_SECRET = randomBytes(24).toString('base64url');
const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SESSION_SECRET };
const { origin, database, deps, url } = await startLatchkey(env);
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
const commands = commandLineFor(url);
const latchkey = (words: string[], input = '') => commands.latchkey(words, { env, input });
const json = async (words: string[], input = '') => {
  const { code, out, err } = await latchkey([...words, '--json'], input);
  assert.equal(code, 0, err);
  return JSON.parse(out);
};
const handleOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 8);

test('client find finds by the beginning of id and name, the end of the site and the owner, and takes every sign as it is', async () => {
  await database.query(
    `select register_client(client_id => 'album', name => 'Photo Album 100%', site_domain => 'album.example',
       redirect_uris => array['https://album.example/cb'], scopes => array['user'], vouched => false, owner => 'bob')`,
  );
  const find = async (text: string) =>
    (await json(['client', 'find', text])).map(({ client_id }: { client_id: string }) => client_id);
  for (const text of ['alb', 'PHOTO ALB', 'album.example', 'bob', ' photo album 100% ']) {
    assert.deepEqual(await find(text), ['album'], text);
  }
  for (const text of ['%', '_lbum', "' or 1=1--", '', 'x'.repeat(10_000)]) assert.deepEqual(await find(text), [], text);
  assert.match((await latchkey(['client', 'find', 'photo', '--limit', '1'])).out, /There are more: enter more/);
  assert.doesNotMatch(JSON.stringify(await json(['client', 'find', 'photo'])), /sha256/);
});

test('client show tells owner, secrets and refusals, and client delete-secret withdraws one of two', async () => {
  const made = await json(['client', 'rotate-secret', printer.client_id]);
  const shown = await json(['client', 'show', printer.client_id]);
  assert.equal('position' in shown, false, 'no column of a shared statement');
  const handles: string[] = shown.secrets.map(({ handle }: { handle: string }) => handle);
  const [newest = '', former = ''] = handles;
  assert.deepEqual(handles, [handleOf(made.client_secret), handleOf(printer.client_secret)]);
  assert.deepEqual([shown.people, shown.refusals], [0, []]);
  const withdraw = ['client', 'delete-secret', printer.client_id];
  assertRefused(await latchkey([...withdraw, '00000000']), 1, /no secret with this handle/);
  await noteSecretUse(database, printer.client_id, createHash('sha256').update(printer.client_secret).digest());
  const sent = /A program sent the secret [0-9a-f]{8} \d{4}-\S+ \S+ UTC, and would be refused: --now/;
  assertRefused(await latchkey([...withdraw, former]), 1, sent);
  const { out } = await latchkey([...withdraw, former, '--now']);
  assert.ok(out.startsWith(`Deleted the secret ${former} of the client "${printer.client_id}", last used 2`), out);
  assertRefused(await latchkey([...withdraw, newest]), 1, /This is its only secret/);
  const { rows } = await database.query(
    'select event, detail from audit_events where client_id = $1 order by happened_at',
    [printer.client_id],
  );
  assert.deepEqual(
    rows.map(({ event, detail }) => [event, detail]),
    [
      ['client_secret_added', null],
      ['client_secret_deleted', former],
    ],
  );
  await database.query('update clients set secrets_sha256 = array[$2::bytea] where client_id = $1', [
    printer.client_id,
    createHash('sha256').update(printer.client_secret).digest(),
  ]);
});

test('client show says that there are more refusals than it shows, and shows as many as it is asked for', async () => {
  const { client_id } = printer;
  const refusal = {
    client_id,
    request_id: 'r',
    request: 'POST /token',
    error: 'invalid_grant',
    redirect_uri: undefined,
  };
  for (let at = 0; at < 21; at += 1) await registerRefusal(database, { ...refusal, reason: `reason ${at}` });
  const { out } = await latchkey(['client', 'show', client_id]);
  assert.match(out, /These are the newest 20 refusals: --refusals N shows more/);
  assert.ok(!out.includes('reason 0\n'));
  const all = await latchkey(['client', 'show', client_id, '--refusals', '21']);
  assert.match(all.out, /reason 0$/m);
  assert.doesNotMatch(all.out, /These are the newest/);
  assertRefused(await latchkey(['client', 'show', client_id, '--refusals', '0']), 2, /--refusals is not a number/);
});

test('client create gives a client its owner, who is not disabled', async () => {
  const create = (id: string, owner: string) =>
    latchkey([
      ...['client', 'create', id, '--owner', owner, '--name', 'Owned', '--site-domain', 'owned.example'],
      ...['--redirect-uri', 'https://owned.example/cb', '--scope', 'user', '--json'],
    ]);
  assert.equal((await create('owned', ' BOB ')).code, 0);
  assert.equal((await json(['client', 'show', 'owned'])).owner, 'bob');
  assertRefused(await create('other', 'nobody'), 1, /no user "nobody"/);
  await latchkey(['user', 'disable', 'bob']);
  assertRefused(await create('other', 'bob'), 1, /"bob" is disabled/);
  await latchkey(['user', 'enable', 'bob']);
});

test('user show says why the latest sign-ins were refused', async () => {
  const browser = new Browser(origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'bob', password: 'wrong password' });
  const [refused] = (await json(['user', 'show', 'bob'])).refused_sign_ins;
  assert.match(refused.reason, /^wrong password/);
  assert.match((await latchkey(['user', 'show', 'bob'])).out, /^refused_sign_ins: {2}\S+Z wrong password/m);
});

test('token show says whose a code or token is and what happened to it, and takes none as an argument', async () => {
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  for (const name of ['access_token', 'refresh_token']) {
    const shown = await json(['token', 'show'], String(body[name]));
    assert.deepEqual([shown.user, shown.client_id, shown.kind, shown.alive], ['alice', printer.client_id, name, true]);
    assert.ok(shown.events.length > 1);
  }
  assert.deepEqual((await json(['token', 'show'], 'lk_at_nothing')).kind, 'malformed');
  const { code, err } = await latchkey(['token', 'show', String(body['access_token'])]);
  assert.equal(code, 2);
  assert.doesNotMatch(err, /lk_at_/);
});

test('token revoke ends an access token alone, a refresh token with its family, and names who did it', async () => {
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  const revoke = (token: unknown) => json(['token', 'revoke'], String(token));
  const told = { user: 'alice', client_id: printer.client_id };
  assert.deepEqual(await revoke(body['access_token']), { ...told, kind: 'access_token', revoked: true });
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await revoke(body['access_token'])).revoked, false);
  const { body: second } = await refresh(origin, body['refresh_token']);
  assert.deepEqual(await revoke(second['refresh_token']), { ...told, kind: 'refresh_token', revoked: true });
  assert.equal((await getUser(origin, second['access_token'])).status, 401);
  const shown = await json(['token', 'show'], String(second['refresh_token']));
  assert.equal(shown.events.at(-1).event, 'revoked_by_operator');
  const { rows } = await database.query(
    "select by_system_user, code_id is not null as has_code from audit_events where event = 'token_revoked'",
  );
  const revoked = { by_system_user: userInfo().username, has_code: true };
  assert.deepEqual(rows, [revoked, revoked]);
  assertRefused(await latchkey(['token', 'revoke'], 'lk_at_nothing'), 1, /not a code or token of this server/);
  const { code, err } = await latchkey(['token', 'revoke', String(body['access_token'])]);
  assert.deepEqual([code, err.includes('lk_at_')], [2, false]);
});

test('user reset-link --mail mails the link that the person would have got, and prints none', async () => {
  assert.deepEqual(await json(['user', 'reset-link', 'bob', '--mail']), { username: 'bob', mailed: true });
  while ((await sendWaitingMails(deps)) > 0);
  assert.match((await box.next('bob@example.com')).text, /reset/);
  await database.query("update users set email_verified = false where username = 'bob'");
  assertRefused(await latchkey(['user', 'reset-link', 'bob', '--mail']), 1, /no confirmed address/);
});

test('status and counts say what the pages about health and charts say', async () => {
  const status = await json(['status']);
  assert.match(status.migration, /^\d{3}_/);
  assert.deepEqual([status.mails_waiting, Array.isArray(status.instances)], [0, true]);
  await database.query(
    "insert into counts (seconds, begins_at, name, total) values (60, date_trunc('minute', now()), 'signed_in', 7)",
  );
  const { counts, steps } = await json(['counts']);
  assert.deepEqual(
    [counts.map(({ name, total }: { name: string; total: number }) => [name, total]), steps],
    [[['signed_in', 7]], 30],
  );
  assertRefused(await latchkey(['counts', '--period', 'constructor']), 2, /hour, day, week or month/);
});
