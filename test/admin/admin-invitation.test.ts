import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendWaitingMails } from '../../src/accounts/mail/mailing.ts';
import { Browser } from '../support/browser.ts';
import { signedInBrowser } from '../support/flow.ts';
import { registerPeople, startWithPrinter } from '../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../support/smtp-server.ts';

const administrator = async ({ origin, database }: Awaited<ReturnType<typeof startWithPrinter>>) => {
  await registerPeople(database, ['root']);
  await database.query("update users set is_admin = true where username = 'root'");
  return signedInBrowser(origin, 'root');
};

test('an administrator invites a person with a link that is shown once, and nobody who has an account', async () => {
  const server = await startWithPrinter({ SIGN_UP: 'invited' });
  const root = await administrator(server);
  const invite = async (address: string) =>
    root.submit(await root.visit('/admin/people/new'), 'id="invite"', { address });
  assert.match(
    (await invite('nobody')).text,
    /id="address-problem">This is not an email address that can receive mail/,
  );
  assert.match((await invite('alice@example.com')).text, /id="address-problem">There is already an account/);
  const { text } = await invite('ida@example.com');
  const [, link = ''] = /id="invitation">([^<]+)/.exec(text) ?? [];
  const ida = new Browser(server.origin);
  const made = await ida.submit(await ida.visit(link.replaceAll('&amp;', '&')), 'id="save"', {
    username: 'ida',
    new_password: 'nine lives and a hat',
  });
  assert.match(made.text, /role="status"><p>Your account has been created\. You are signed in\./);
  const { rows } = await server.database.query("select email from users where username = 'ida'");
  assert.deepEqual(rows, [{ email: 'ida@example.com' }]);
});

test('where nobody can be invited, the page has no form for it, and an older form changes nothing', async () => {
  const server = await startWithPrinter({ SIGN_UP: 'off' });
  const root = await administrator(server);
  const page = await root.visit('/admin/people/new');
  assert.doesNotMatch(page.text, /id="invite"/);
  const refused = await root.submit(page, 'id="add"', { address: 'ida@example.com' });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /id="problem"/);
  assert.equal((await server.database.query('select from sign_up_links')).rowCount, 0);
});

test('with a mail server the invitation is mailed, and no page shows its link', async () => {
  const box = await startSmtpServer();
  const server = await startWithPrinter({ SIGN_UP: 'invited', SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example' });
  const root = await administrator(server);
  const page = await root.visit('/admin/people/new');
  const { text } = await root.submit(page, 'id="invite"', { address: 'ida@example.com' });
  assert.match(text, /An email with an invitation to/);
  assert.doesNotMatch(text, /lk_ml_/);
  while ((await sendWaitingMails(server.deps)) > 0);
  const link = linkIn(await box.next('ida@example.com'));
  assert.match((await new Browser(server.origin).visit(link)).text, /ida@example\.com/);
});
