import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import type { Deps } from '../../../src/deps.ts';
import { orderMail } from '../../../src/mail/mail-queue.ts';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import type { Database } from '../../../src/postgres/database.ts';
import { Browser } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SIGN_UP: 'invited', SESSION_SECRET: 'x'.repeat(40) };
const one = await startLatchkey(env);
const two = await startLatchkey({ ...env, ISSUER: one.origin }, one.url);
const { database, deps, logged, origin, url } = one;
await registerPeople(database);

const order = () =>
  orderMail(deps, {
    kind: 'forgotten',
    language: 'en',
    facts: { name: 'alice', query: '', dialect: 'rfc', browser: '' },
  });
const onlyMail = async () => (await database.query('select * from mails')).rows[0];
const due = () => database.query('update mails set due_at = now()');
const empty = async () => {
  for (const table of ['mails', 'attempts', 'sign_up_links']) await database.query(`delete from ${table}`);
  box.mails.length = 0;
  box.state.mode = 'accept';
};

/** The instance with a database that does something else for one statement. */
function withStatement(name: string, run: (really: () => Promise<unknown>) => Promise<unknown>): Deps {
  const get = (target: Database, key: keyof Database) => {
    const value = target[key] as unknown;
    if (key !== 'query') return typeof value === 'function' ? value.bind(target) : value;
    return (query: { name?: string }, ...rest: unknown[]) => {
      const really = () => (value as (...all: unknown[]) => Promise<unknown>).call(target, query, ...rest);
      return query.name === name ? run(really) : really();
    };
  };
  return { ...deps, database: new Proxy(database, { get: get as ProxyHandler<Database>['get'] & object }) };
}

test('an instance with another SESSION_SECRET leaves the mails to those that can read them, and takes no try away', async () => {
  await empty();
  const stranger = await startLatchkey({ ...env, SESSION_SECRET: 'y'.repeat(40) }, url);
  await order();
  for (let at = 0; at < 8; at += 1) {
    await due();
    await sendWaitingMails(stranger.deps);
    const { tries, problem, due_at } = await onlyMail();
    assert.deepEqual([tries, problem], [0, 'ESEALED']);
    assert.ok(due_at.getTime() - Date.now() < 10_000, 'soon again');
  }
  await due();
  await sendWaitingMails(deps);
  assert.equal(box.mails.length, 1);
  // the limit of one person counts as if nobody else had had the mail
  const { rows } = await database.query('select sum(attempts)::integer as counted from attempts');
  assert.equal(rows[0].counted, 1);
  // where nobody has the secret any more the sweep removes it
  await order();
  await database.query("update mails set created_at = now() - interval '9 days' where sealed is not null");
  await sendWaitingMails(stranger.deps);
  assert.match(logged.join() + stranger.logged.join(), /ESEALED/);
  await createSweep(database)();
  assert.equal((await database.query('select from mails where sealed is not null')).rowCount, 0);
});

test('a mail that was sent is not sent again because the database could not be told at once', async () => {
  await empty();
  await order();
  let failures = 2;
  const marking = withStatement('mark_mail_sent', async (really) => {
    failures -= 1;
    if (failures >= 0) throw new Error('Connection terminated unexpectedly');
    return really();
  });
  await sendWaitingMails(marking);
  await due();
  await sendWaitingMails(two.deps);
  assert.equal(box.mails.length, 1);
  assert.notEqual((await onlyMail()).sent_at, null);
});

test('an instance that was stopped while it had a mail leaves it to the other one, whose link stays good [F62]', async (t: TestContext) => {
  await empty();
  await order();
  const real = performance.now.bind(performance);
  let asleep = 0;
  t.mock.method(performance, 'now', () => real() + asleep);
  const stopped = withStatement('claim_mails', async (really) => {
    const claimed = await really();
    asleep += 61_000;
    await due();
    await sendWaitingMails(two.deps);
    return claimed;
  });
  await sendWaitingMails(stopped);
  assert.equal(box.mails.length, 1);
  const [mail] = box.mails;
  assert.ok(mail);
  assert.equal((await new Browser(origin).visit(linkIn(mail))).status, 200);
});

test('an invitation that is withdrawn before its mail was sent, or between two tries, is not sent', async () => {
  const { latchkey } = commandLineFor(url);
  const cli = { ...env, ISSUER: origin };
  const invite = (...words: string[]) => latchkey(['user', 'invite', 'guest@example.net', ...words], { env: cli });
  for (const triesBefore of [0, 1]) {
    await empty();
    box.state.mode = 'refuse';
    assert.match((await invite()).out, /in the queue/);
    for (let at = 0; at < triesBefore; at += 1) await sendWaitingMails(deps);
    assert.match((await invite('--withdraw')).out, /Withdrew/, `${triesBefore}`);
    box.state.mode = 'accept';
    await due();
    await sendWaitingMails(deps);
    assert.equal(box.mails.length, 0);
    assert.equal((await database.query('select 1 from sign_up_links')).rowCount, 0);
  }
  // and one that is not withdrawn survives its tries
  await empty();
  box.state.mode = 'refuse';
  await invite();
  await sendWaitingMails(deps);
  box.state.mode = 'accept';
  await due();
  await sendWaitingMails(deps);
  const [mail] = box.mails;
  assert.ok(mail);
  assert.equal((await new Browser(origin).visit(linkIn(mail))).status, 200);
});
