import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/config.ts';
import { serverFindings } from '../../src/doctor/server.ts';
import { countedSoFar } from '../../src/operations/counting.ts';
import type { ServerSettings } from '../../src/postgres/server-settings.ts';
import { Browser } from '../support/browser.ts';
import { assertRefused, commandLineFor } from '../support/command-line.ts';
import { password, registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database, url } = await startWithPrinter();
await registerPeople(database, ['bob', 'carol', 'dora']);
const { latchkey } = commandLineFor(url);

const json = async (...words: string[]) => {
  const { code, out, err } = await latchkey([...words, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
};
const signIn = async (username: string, typed = password) => {
  const browser = new Browser(origin);
  return browser.submit(await browser.open('/login'), 'id="login"', { username, password: typed });
};

test('the trail says why a sign-in was refused, and whose it was, also of a disabled account', async () => {
  await database.query("update users set disabled_at = now() where username = 'carol'");
  await database.query("update users set password_bcrypt = null, password_hash = null where username = 'dora'");
  const before = countedSoFar().get('sign-in refused: disabled') ?? 0;
  const pages = [
    await signIn('bob', 'wrong'),
    await signIn('Carol'),
    await signIn('carol@example.com'),
    await signIn('dora'),
    await signIn('nobody'),
  ];
  assert.deepEqual([...new Set(pages.map(({ status }) => status))], [401]);
  const events: { username: string | null; detail: string }[] = await json('audit', '--event', 'sign_in_refused');
  assert.deepEqual(events.map(({ username, detail }) => [username, detail]).reverse(), [
    ['bob', 'wrong password'],
    ['carol', 'disabled'],
    ['carol', 'disabled'],
    ['dora', 'no password'],
    [null, 'unknown name'],
  ]);
  assert.equal((await json('audit', '--user', 'carol')).length, 2);
  assert.equal(countedSoFar().get('sign-in refused: disabled'), before + 2);
});

test('attempts that are not compared any more are counted', async () => {
  for (let attempt = 0; attempt < 7; attempt += 1) await signIn('bob', 'wrong');
  assert.ok((countedSoFar().get('sign-in refused: too many attempts') ?? 0) >= 1);
});

test('audit refuses what no event can fit, and says what can be typed', async () => {
  const refused: [string[], RegExp][] = [
    [['--event', 'sign_in_failed'], /there is no event "sign_in_failed"; there are sign_in_refused, sign_in_delayed/],
    [['--event', 'signed_im'], /did you mean "signed_in"/],
    [['--event', 'signed_in,signed_out'], /there is no event/],
    [['--event', 'tokens_issued'], /tokens_issued is not searched for: it is listed where nothing but the time/],
    [['--address', 'localhost'], /--address localhost is no network address/],
    [['--since', '2h', '--until', '3h'], /--since 2h is after --until 3h/],
    [['--since', 'yesterday'], /--since is no time such as 24h/],
    [['--follow', '--export', 'csv'], /leave out --follow/],
    [['--limit', '5', '--export', 'csv'], /leave out --follow and --limit/],
  ];
  for (const [options, sentence] of refused) assertRefused(await latchkey(['audit', ...options]), 2, sentence);
  const { out } = await latchkey(['audit', '--help']);
  for (const event of ['sign_in_refused', 'user_disabled', 'everything_revoked']) assert.ok(out.includes(event), event);
});

test('a time without seconds means its whole minute, a day its whole day, in UTC', async () => {
  await database.query(`insert into audit_events (happened_at, event, request_id) values
    ('2026-03-01T14:03:41Z', 'signed_out', 'r'), ('2026-03-01T14:04:10Z', 'signed_out', 'r'), ('2026-03-02T00:00:10Z', 'signed_out', 'r')`);
  const found = async (since: string, until: string) =>
    (await json('audit', '--event', 'signed_out', '--request', 'r', '--since', since, '--until', until)).length;
  assert.equal(await found('2026-03-01T14:03', '2026-03-01T14:03'), 1);
  assert.equal(await found('2026-03-01T14:03Z', '2026-03-01T14:04'), 2);
  assert.equal(await found('2026-03-01T14:03:41', '2026-03-01T14:03:41'), 1);
  assert.equal(await found('2026-03-01', '2026-03-01'), 2);
  assert.equal(await found('2026-03-01T15:03+01:00', '2026-03-01T15:03+01:00'), 1);
});

test('audit says when there are earlier events, and when issued tokens are not among those shown', async () => {
  await signIn('bob', 'wrong');
  const all = await latchkey(['audit', '--limit', '2']);
  assert.match(all.out, /These are the latest 2\. Earlier ones: --limit/);
  assert.doesNotMatch(all.out, /tokens are not among/);
  const some = await latchkey(['audit', '--address', '127.0.0.1', '--limit', '2', '--json']);
  assert.equal(JSON.parse(some.out).length, 2);
  assert.match(some.err, /tokens are not among these[\s\S]*These are the latest 2/);
  const revoked = await latchkey(['audit', '--event', 'token_revoked']);
  assert.match(revoked.out, /that its client revokes within a day only the first/);
  const one = await latchkey(['audit', '--event', 'user_deleted']);
  assert.deepEqual([one.out, one.err], ['There are no audit events.\n', '']);
});

test('audit --by shows what somebody did to others, as an administrator and by commands', async () => {
  await latchkey(['user', 'unlock', 'bob']);
  await database.query(`insert into audit_events (event, user_id, request_id, by_user_id)
    select 'user_changed', 1, 'x', user_id from users where username = 'bob'`);
  const by = async (name: string) => (await json('audit', '--by', name)).map(({ event }: { event: string }) => event);
  assert.deepEqual(await by('Bob'), ['user_changed']);
  assert.ok((await by(userInfo().username)).length > 0);
  assert.deepEqual(await by('nobody-at-all'), []);
  await database.query(
    `insert into audit_events (event, user_id, request_id, by_system_user) values ('user_enabled', 1, 'x', 'bob')`,
  );
  assert.deepEqual(await by('bob'), ['user_enabled', 'user_changed']);
});

test('the secret of the database can be moved into SESSION_SECRET, and that it was shown is recorded', async () => {
  const { session_secret } = await json('keys', 'session-secret');
  const { rows } = await database.query("select value from settings where name = 'session_secret'");
  assert.equal(session_secret, rows[0].value);
  assert.equal((await json('audit', '--event', 'session_secret_shown')).length, 1);
  const env = { SESSION_SECRET: 'f'.repeat(64) };
  assertRefused(await latchkey(['keys', 'session-secret'], { env }), 1, /SESSION_SECRET is set/);
});

test('advice of doctor about connections fits the embedded database, which serves one instance', () => {
  const settings = {
    connections: 60,
    synchronous_commit: 'on',
    fsync: 'on',
    full_page_writes: 'on',
  } as unknown as ServerSettings;
  const changeOf = (env: Record<string, string>) =>
    serverFindings(loadConfig(env), settings, 9).find(({ check }) => check === 'database_connections')?.change ?? '';
  assert.match(changeOf({}), /several instances need a Postgres of your own/);
  assert.match(changeOf({ DATABASE_URL: 'postgres://db/x' }), /^alter system set max_connections/);
});
