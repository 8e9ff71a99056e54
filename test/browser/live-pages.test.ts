// ci: every page in a real browser, in four languages
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { sendWaitingMails } from '../../src/accounts/mail/mailing.ts';
import { authorizationQuery } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { codeOf, readSecret } from '../support/second-factor.ts';
import { linkIn, startSmtpServer } from '../support/smtp-server.ts';
import { launchBrowser, skip } from './chromium.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// The gallery has every page with made-up data; here they are as a server sends them, one after the other as people see them.
describe('the pages of a sign-in as a server sends them', { skip }, async () => {
  const box = await startSmtpServer();
  const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SIGN_UP: 'open' };
  // browsers make no passkeys for an address of numbers
  const ISSUER = 'http://localhost:0';
  const { database, deps } = await startLatchkey({ ...env, ISSUER });
  const origin = deps.config.issuer;
  const strict = await startLatchkey({ ISSUER, SECOND_FACTOR: 'everybody', SECOND_FACTOR_GRACE: '0' });
  let browser: Browser;

  before(async () => {
    await registerPrinter(database);
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  /** Nothing to report, and nothing cut off. */
  async function look(page: Page, what: string): Promise<void> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
    );
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    assert.deepEqual(found, [], what);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(excess <= 0, `${what}: ${excess} px too wide`);
    // no text that nobody has translated, and no hole that nobody has filled
    assert.doesNotMatch((await page.textContent('body')) ?? '', /[{}]|undefined|\[object/, what);
  }

  async function signIn(page: Page, username: string): Promise<void> {
    await page.fill('#username', username);
    await page.fill('#password', password);
    await page.click('#login');
  }

  async function linkFor(address: string): Promise<string> {
    while ((await sendWaitingMails(deps)) > 0);
    return linkIn(await box.next(address));
  }

  for (const [locale, colorScheme] of [
    ['en-GB', 'light'],
    ['de', 'dark'],
    ['zh-CN', 'dark'],
  ] as const) {
    const name = `${colorScheme}-${locale.toLowerCase()}`;

    test(`at 320 pixels, ${colorScheme}, in ${locale}`, async () => {
      await database.query('delete from attempts');
      await registerPeople(database, [name]);
      await registerPeople(strict.database, [name]);
      // the policy of the pages permits no script of a stranger, such as axe
      const context = await browser.newContext({
        ...{ locale, colorScheme, bypassCSP: true },
        viewport: { width: 320, height: 640 },
      });
      const page = await context.newPage();
      await page.goto(`${origin}/authorize?${authorizationQuery()}`);
      await look(page, 'sign-in');
      await page.fill('#username', name);
      await page.fill('#password', 'a wrong one');
      await page.click('#login');
      await look(page, 'wrong password');
      await page.click('a#sign-up');
      await look(page, 'sign-up');
      await page.fill('[name=address]', `new-${name}@example.net`);
      await page.click('#send');
      await look(page, 'sign-up asked for');
      await page.goto(await linkFor(`new-${name}@example.net`));
      await look(page, 'name and password');
      await page.fill('[name=username]', 'admin');
      await page.fill('[name=new_password]', 'short');
      await page.click('#save');
      await look(page, 'refused name');
      await page.goto(`${origin}/forgot-password`);
      await look(page, 'forgotten password');
      await page.fill('[name=address]', name);
      await page.click('#send');
      await look(page, 'link asked for');
      const link = await linkFor(`${name}@example.com`);
      await page.goto(link);
      await look(page, 'new password');
      await page.fill('[name=new_password]', 'password1');
      await page.click('#save');
      await look(page, 'refused password');

      await page.goto(`${origin}/login?to=/account/security`);
      await signIn(page, name);
      await look(page, 'second factor');
      await page.click('#add-code');
      await look(page, 'setup');
      const secret = readSecret((await page.textContent('#secret')) ?? '');
      await page.fill('#code', '000000');
      await page.click('#verify');
      await look(page, 'wrong code at the setup');
      await page.fill('#code', codeOf(secret));
      await page.click('#verify');
      await look(page, 'recovery codes');
      await page.click('#go-on');
      await look(page, 'account');
      await context.clearCookies({ name: 'session' });
      await page.goto(`${origin}/login?to=/account`);
      await signIn(page, name);
      await page.click('summary');
      await look(page, 'second step');
      await page.fill('#code', '000000');
      await page.click('#verify');
      await look(page, 'wrong code');
      await page.fill('#code', codeOf(secret, 1));
      await page.click('#verify');
      await page.waitForURL(`${origin}/account`);
      await page.goto(`${origin}/account/passkeys/new`);
      await look(page, 'new passkey');

      await page.goto(`${strict.deps.config.issuer}/login`);
      await signIn(page, name);
      await look(page, 'setup that is demanded');
      await context.close();
    });
  }
});
