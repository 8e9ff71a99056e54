import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const secret = randomBytes(24).toString('base64url');
const mailed = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SESSION_SECRET: secret };
const { origin, database, deps, url } = await startLatchkey(mailed);
await registerPeople(database, ['root', 'bob']);
await database.query("update users set is_admin = true where username = 'root'");
const root = await signedInBrowser(origin, 'root');
const commands = commandLineFor(url);
const latchkey = (words: string[]) => commands.latchkey(words, { env: mailed });

/** Receivers and subjects of all mails since the last look. */
async function mails(): Promise<string[]> {
  while ((await sendWaitingMails(deps)) > 0);
  return box.mails.splice(0).map(({ to, subject }) => `${to}: ${subject}`);
}

const change = async (changes: Record<string, string>) => {
  const { rows } = await database.query("select user_id from users where username = 'bob'");
  return root.submit(await root.visit(`/admin/people/${rows[0].user_id}`), 'value="change"', changes);
};
const replaced = 'Your address at Latchkey was replaced';

test('an address that an operator replaces is told so, by the page and by the command, without a link that brings it back', async () => {
  await mails();
  await change({ email: 'bob@new.example', vouched: 'true' });
  while ((await sendWaitingMails(deps)) > 0);
  const [mail] = box.mails.splice(0);
  assert.deepEqual([mail?.to, mail?.subject], [['bob@example.com'], replaced]);
  assert.match(mail?.text ?? '', /your account bob another address/);
  assert.doesNotMatch(mail?.text ?? '', /https?:|bob@new/);
  const { code, err } = await latchkey(['user', 'update', 'bob', '--email', 'bob@third.example']);
  assert.equal(code, 0, err);
  assert.deepEqual(await mails(), [`bob@new.example: ${replaced}`]);
  await database.query("update users set pending_email = 'bob@fourth.example' where username = 'bob'");
  await latchkey(['user', 'update', 'bob', '--email-verified']);
  assert.deepEqual(await mails(), [`bob@third.example: ${replaced}`]);
});

test('nobody is told of a change that leaves the address, of one that fails, or at an address that nobody has confirmed', async () => {
  await change({ name: 'Bob B.' });
  await latchkey(['user', 'update', 'bob', '--name', 'Bob']);
  await change({ email: 'root@example.com', vouched: 'true' });
  assert.deepEqual(await mails(), []);
  await database.query("update users set email_verified = false where username = 'bob'");
  await change({ email: 'bob@fifth.example', vouched: 'true' });
  assert.deepEqual(await mails(), []);
});
