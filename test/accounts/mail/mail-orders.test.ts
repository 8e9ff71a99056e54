import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sendWaitingMails, startMailing } from '../../../src/accounts/mail/mailing.ts';
import { orderMail } from '../../../src/mail/mail-queue.ts';
import { claimMails } from '../../../src/mail/mails.sql.ts';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import { Browser } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { cheapHash, password, registerPeople, registerUser, startLatchkey } from '../../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const secret = randomBytes(24).toString('base64url');
const mailed = {
  ...{ SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SESSION_SECRET: secret, SIGN_UP: 'open' },
  TRUST_PROXY: '1',
};
const { origin, database, deps, url } = await startLatchkey(mailed);
const commands = commandLineFor(url);
const latchkey = (words: string[]) => commands.latchkey(words, { env: { ...mailed, ISSUER: origin } });
await registerPeople(database, ['root', 'alice', 'bob']);
await database.query("update users set is_admin = true where username = 'root'");
const root = await signedInBrowser(origin, 'root');

async function sendMails(): Promise<void> {
  while ((await sendWaitingMails(deps)) > 0);
}

async function empty(): Promise<void> {
  for (const table of ['mails', 'attempts']) await database.query(`delete from ${table}`);
  Object.assign(box.state, { mode: 'accept', slow: undefined });
  box.mails.length = 0;
}

/** From another network each time. */
let networks = 0;
async function ask(path: string, address: string): Promise<void> {
  networks += 1;
  const headers = { 'x-forwarded-for': `10.0.${networks}.1` };
  const browser = new Browser(origin, (to, init) => fetch(to, { ...init, headers: { ...init?.headers, ...headers } }));
  await browser.submit(await browser.visit(path), 'id="send"', { address });
}

async function pageOf(username: string) {
  const { rows } = await database.query('select user_id from users where username = $1', [username]);
  return root.visit(`/admin/people/${rows[0].user_id}`);
}

const pressMailLink = async (username: string, page = pageOf(username)) => root.submit(await page, 'value="mail_link"');

const eventsOf = async (event: string) => {
  const { rows } = await database.query(
    'select username, detail from audit_events left join users using (user_id) where event = $1 order by detail desc',
    [event],
  );
  return rows;
};

test('strangers who ask for everything that a mailbox can get do not swallow what an operator orders for it', async () => {
  await empty();
  const address = 'alice@example.com';
  for (let at = 0; at < 7; at += 1) {
    for (const path of ['/forgot-password', '/sign-up']) await ask(path, address);
    await ask('/forgot-password', 'alice');
  }
  await sendMails();
  const { length } = box.mails;
  assert.match((await pressMailLink('alice')).url, /done\.mail_link/);
  await sendMails();
  assert.equal(box.mails.length, length + 1);
  assert.equal((await latchkey(['user', 'reset-link', 'alice', '--mail'])).code, 0);
  await sendMails();
  assert.equal(box.mails.length, length + 2);
  const [last] = box.mails.slice(-1);
  assert.ok(last);
  assert.match((await new Browser(origin).visit(linkIn(last))).text, /id="save"/);

  const guest = 'guest@example.com';
  for (let at = 0; at < 7; at += 1) await ask('/sign-up', guest);
  await sendMails();
  const before = box.mails.length;
  assert.equal((await latchkey(['user', 'invite', guest])).code, 0);
  await sendMails();
  assert.deepEqual(
    box.mails.slice(before).map(({ to, subject }) => [to.join(), /invit/i.test(subject)]),
    [[guest, true]],
  );
});

test('strangers cause five mails at once to one mailbox, of all kinds together', async () => {
  await empty();
  const address = 'bob@example.com';
  await registerUser(database, { username: 'eve', password: cheapHash });
  const eve = await signedInBrowser(origin, 'eve');
  for (let at = 0; at < 5; at += 1) {
    await ask('/forgot-password', 'bob');
    await ask('/forgot-password', address);
    await ask('/sign-up', address.toUpperCase());
    const account = await eve.visit('/account');
    await eve.submit(account, 'name="current_password"', {
      name: 'Eve',
      email: at % 2 ? address : 'Bob@example.com',
      current_password: password,
    });
  }
  await sendMails();
  assert.equal(box.mails.filter(({ to }) => to.join().toLowerCase() === address).length, 5);
});

test('a stranger who fills a mailbox with mails of other kinds does not keep the link to a new password from it', async () => {
  await empty();
  const resets = () => box.mails.filter(({ subject }) => /new password/.test(subject)).length;
  for (let at = 0; at < 7; at += 1) await ask('/sign-up', 'alice@example.com');
  await sendMails();
  assert.equal(resets(), 0);
  await ask('/forgot-password', 'alice');
  await sendMails();
  assert.equal(resets(), 1);
  // however long the stranger goes on: each free moment is taken at once
  for (let hour = 0; hour < 3; hour += 1) {
    await database.query("update attempts set blocked_until = blocked_until - interval '1 hour'");
    await ask('/sign-up', 'alice@example.com');
    await ask('/forgot-password', 'alice');
    await sendMails();
    assert.equal(resets(), 2 + hour);
  }
});

test('an operator who orders a mail that cannot go out is told, by the page and by the command, and nothing says that it went', async () => {
  await empty();
  await registerUser(database, { username: 'none', password: cheapHash });
  await registerPeople(database, ['passwordless', 'gone']);
  await database.query("update users set password_bcrypt = null where username = 'passwordless'");
  const before = (await eventsOf('reset_link_issued')).length;
  for (const name of ['none', 'passwordless', 'gone']) {
    const page = await pageOf(name);
    await database.query("update users set disabled_at = now() where username = 'gone'");
    // the button of another person's page: here it is not offered
    const offering = await pageOf('alice');
    const answer = await root.submit(
      {
        ...offering,
        url: page.url,
        text: offering.text.replaceAll(/\/admin\/people\/\d+/g, new URL(page.url).pathname),
      },
      'value="mail_link"',
    );
    assert.equal(answer.status, 400, name);
    assert.match(answer.text, /No link can be emailed/);
    const { code, err } = await latchkey(['user', 'reset-link', name, '--mail']);
    assert.equal(code, 1);
    assert.match(err, /no confirmed address or no password, or is disabled/);
  }
  assert.equal((await eventsOf('reset_link_issued')).length, before);
  await sendMails();
  assert.deepEqual(box.mails, []);
});

test('an order of an operator that comes to nothing in the queue is an event', async () => {
  await empty();
  await pressMailLink('alice');
  await database.query("update users set email_verified = false where username = 'alice'");
  await latchkey(['user', 'invite', 'late@example.com']);
  await database.query('delete from sign_up_links');
  await sendMails();
  await database.query("update users set email_verified = true where username = 'alice'");
  assert.deepEqual(box.mails, []);
  assert.deepEqual(await eventsOf('mail_given_up'), [
    { username: 'alice', detail: 'reset_link nobody to whom it can go' },
    { username: null, detail: 'invitation nobody to whom it can go' },
  ]);
});

test('no lane takes more mails than it has room for, even where Postgres takes the queue for small', async () => {
  await empty();
  const order = (count: number) =>
    database.query(
      "insert into mails (kind, sealed) select case n % 5 when 0 then 'forgotten' else 'sign_up' end, 'x' from generate_series(1, $1::integer) n",
      [count],
    );
  await order(1);
  await database.query('analyze mails');
  await order(50);
  const claimed = await claimMails(database, [3, 8, 8, 8]);
  assert.deepEqual(claimed.map(({ lane }) => lane).sort(), [0, 0, 0, ...Array(8).fill(1)]);
  await empty();
  await database.query('analyze mails');
});

test('mails that the mail server takes slowly hold no others up, neither at once nor when they are tried again', async (t) => {
  await empty();
  box.state.slow = /slow\.example/;
  await registerUser(database, { username: 'mallory', password: cheapHash, email: 'mallory@slow.example' });
  for (let at = 0; at < 5; at += 1) await ask('/forgot-password', 'mallory');
  for (let at = 0; at < 20; at += 1) await ask('/sign-up', `x${at}@slow.example`);
  const mailing = startMailing(deps);
  t.after(() => {
    mailing.stop();
    box.hangUp();
  });
  await pause(1500);
  for (const round of ['first', 'again']) {
    box.mails.length = 0;
    await ask('/forgot-password', 'bob');
    const begun = performance.now();
    await box.next('bob@example.com', /./, 20_000);
    assert.ok(performance.now() - begun < 4000, `${round}: ${performance.now() - begun}`);
    // those that a try has failed for
    await database.query('update mails set tries = 1, due_at = now() where sealed is not null');
    await pause(1500);
  }
});

test('the mails of one person to a slow mailbox are tried one at a time, and others go on, at once and when they are tried again', async (t) => {
  await empty();
  box.state.slow = /trudy@slow\.example/;
  await registerUser(database, { username: 'trudy', password: cheapHash, email: 'trudy@slow.example' });
  const { rows } = await database.query(
    "select user_id from users where username in ('bob', 'trudy') order by username",
  );
  const [bob, user_id] = rows.map((user) => user.user_id);
  const facts = { notice: 'password_changed', client_id: '', from: '' };
  for (let at = 0; at < 10; at += 1) await orderMail(deps, { kind: 'notice', user_id, language: 'en', facts });
  const mailing = startMailing(deps);
  t.after(() => {
    mailing.stop();
    box.hangUp();
  });
  await pause(1500);
  for (const round of ['first', 'again']) {
    await orderMail(deps, { kind: 'reset_link', user_id: bob, language: 'en', facts: {} });
    if (round === 'again') await database.query('update mails set tries = 1 where user_id = $1', [bob]);
    const begun = performance.now();
    await box.next('bob@example.com', /./, 20_000);
    assert.ok(performance.now() - begun < 4000, `${round}: ${performance.now() - begun}`);
    const tried = box.state.commands.filter((line) => line.startsWith('RCPT TO:<trudy@'));
    assert.equal(tried.length, 1, round);
    box.state.commands.length = 0;
    // those that a try has failed for
    await database.query('update mails set tries = 1, due_at = now() where user_id = $1', [user_id]);
    await pause(1500);
  }
});

test('what is due in a year, because the clock of the database was ahead, is sent now, and a jump gives no mail up', async () => {
  await empty();
  await ask('/forgot-password', 'bob');
  await database.query("update mails set due_at = now() + interval '1 year', created_at = now() + interval '1 year'");
  await sendMails();
  assert.equal(box.mails.length, 1);
  await ask('/forgot-password', 'bob');
  box.state.mode = 'refuse';
  await database.query("update mails set created_at = now() - interval '1 year' where sealed is not null");
  await sendMails();
  box.state.mode = 'accept';
  await database.query('update mails set due_at = now()');
  await sendMails();
  assert.equal(box.mails.length, 2);
  await createSweep(database)();
});

test('a mail that an instance was trying again when it was killed, while the clock was ahead by a year, is sent now', async () => {
  await empty();
  const { rows } = await database.query("select user_id from users where username = 'bob'");
  await orderMail(deps, { kind: 'reset_link', user_id: rows[0].user_id, language: 'en', facts: {} });
  await database.query("update mails set due_at = now() + interval '1 year', tries = 2, lane = 2");
  await sendMails();
  assert.equal(box.mails.length, 1);
});
