import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import type { Browser } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { encode } from '../../support/flow.ts';
import { registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';
import { answerTo, returnWith, sentToWebsite, sharedSecret } from '../../support/website.ts';

const box = await startSmtpServer();
const { origin, database, url, deps } = await startLatchkey({
  SIGN_IN_URL: 'https://www.provider.example/oauth-sign-in',
  SIGN_IN_SECRET: sharedSecret,
  SMTP_URL: box.url,
  MAIL_FROM: 'accounts@id.example',
});
await registerPrinter(database);
const { latchkey } = commandLineFor(url);

async function enter(id: string, stated: { email?: string; email_verified?: boolean } = {}): Promise<Browser> {
  const { browser, asked } = await sentToWebsite(origin);
  const page = await returnWith(browser, answerTo(asked, { sub: id, username: id, ...stated }));
  assert.ok(page.status < 400, page.text);
  return browser;
}
const stored = async (id: string) =>
  (await database.query('select email, email_verified, pending_email from users where username = $1', [id])).rows[0];
const waiting = async () => (await database.query('select from mails')).rowCount;

async function post(browser: Browser, path: string, fields: Record<string, string>) {
  const { text } = await browser.visit('/account');
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(text) ?? [];
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return browser.visit(path, { method: 'POST', headers, body: encode({ csrf, ...fields }) });
}

/** The link that was sent, opened before the website states an address and pressed afterwards. */
async function confirmsNothing(browser: Browser, id: string, stated: { email: string; email_verified: boolean }) {
  while ((await sendWaitingMails(deps)) > 0);
  const page = await browser.visit(linkIn(await box.next(`${id}@own.example`)));
  assert.equal(page.status, 200);
  await enter(id, stated);
  const answer = await browser.submit(page, 'class="primary', {});
  assert.ok(!answer.url.includes('notice=address_confirmed'), answer.url);
  assert.deepEqual(await stored(id), { ...stated, pending_email: null });
}

test('a confirmation link ends when the website states another address', async () => {
  const browser = await enter('ada');
  await browser.submit(await browser.visit('/account'), 'name="email"', { email: 'ada@own.example' });
  assert.equal((await stored('ada')).pending_email, 'ada@own.example');
  await confirmsNothing(browser, 'ada', { email: 'stated@example.com', email_verified: true });
});

test('a link confirms no address that the website states again: only the website says whether it is verified', async () => {
  const stated = { email: 'eve@own.example', email_verified: false };
  await enter('eve', stated);
  const browser = await enter('eve');
  await post(browser, '/account/address', {});
  await confirmsNothing(browser, 'eve', stated);
});

test('no link is sent again for an address that the website states, and the account page offers none', async () => {
  const browser = await enter('bea', { email: 'bea@example.com' });
  const before = await stored('bea');
  assert.equal(before.email_verified, false);
  assert.doesNotMatch((await browser.visit('/account')).text, /send-confirmation|account\/address/);
  const mails = await waiting();
  await post(browser, '/account/address', {});
  assert.equal(await waiting(), mails);
  assert.deepEqual(await stored('bea'), before);
});

test('user update --email-verified vouches for no address that is kept elsewhere, and for one that is not', async () => {
  await enter('cleo', { email: 'cleo@example.com' });
  const before = await stored('cleo');
  const { code, err } = await latchkey(['user', 'update', 'cleo', '--email-verified']);
  assert.equal(code, 1);
  assert.match(err, /email can only be changed at the source \(website\)/);
  assert.deepEqual(await stored('cleo'), before);
  const browser = await enter('dora');
  await browser.submit(await browser.visit('/account'), 'name="email"', { email: 'dora@example.com' });
  assert.equal((await latchkey(['user', 'update', 'dora', '--email-verified'])).code, 0);
  assert.equal((await stored('dora')).email_verified, true);
});
