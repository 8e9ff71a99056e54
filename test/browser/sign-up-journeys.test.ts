// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startMailing } from '../../src/accounts/mail/mailing.ts';
import { commandLineFor } from '../support/command-line.ts';
import { authorizationQuery, getUser, redeem } from '../support/flow.ts';
import { registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../support/smtp-server.ts';
import { launchBrowser, skip } from './chromium.ts';
import { type OtherOrigins, openOtherOrigins } from './other-origins.ts';

const word = 'a rabbit hole of nine lives';

describe('making an account, in a real browser', { skip }, async () => {
  const box = await startSmtpServer();
  const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SIGN_UP: 'open' };
  const { origin, database, deps, url } = await startLatchkey(env);
  const { latchkey } = commandLineFor(url);
  let browser: Browser;
  let otherOrigins: OtherOrigins;
  let mailing: { stop(): void };

  before(async () => {
    otherOrigins = await openOtherOrigins();
    await registerPrinter(database, { site_domain: 'localhost', redirect_uris: [otherOrigins.redirect_uri] });
    mailing = startMailing(deps);
    browser = await launchBrowser();
  });
  after(async () => {
    mailing?.stop();
    await browser?.close();
    otherOrigins?.close();
  });

  async function assertFits(page: Page): Promise<void> {
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(excess <= 0, `${page.url()} is ${excess} px too wide`);
  }

  /** The names of what a person has to fill in on this page. */
  const fieldsOf = (page: Page) =>
    page
      .locator('main :is(input, select, textarea):visible:not([type=checkbox], [type=radio])')
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('name')));

  /** What the page says of passwords while they are typed, by the list of the server. */
  async function judge(page: Page): Promise<void> {
    const grades = {
      short1: 'short',
      Sunshine1: 'common',
      'sunshine1!!': 'weak',
      aaaabbbbcccc: 'weak',
      'a hat, a cat': 'fair',
      [word]: 'strong',
    };
    for (const [typed, grade] of Object.entries(grades)) {
      await page.fill('#new_password', typed);
      await page.waitForSelector(`#new_password-strength[data-strength=${grade}]`);
    }
    assert.match((await page.textContent('#new_password-strength')) ?? '', /^Strong/);
    await page.click('button[data-reveal=new_password]');
    assert.equal(await page.getAttribute('#new_password', 'type'), 'text');
  }

  /** The form behind the link: a name that is not free, then one that is. */
  async function choose(page: Page, link: string, name: string, look?: (page: Page) => Promise<void>): Promise<void> {
    await page.goto(link);
    assert.deepEqual(await fieldsOf(page), ['username', 'new_password']);
    assert.doesNotMatch(page.url(), /token|lk_ml_/);
    await assertFits(page);
    // a browser moves the focus when it first draws the page
    await page.waitForSelector('input[name=username]:focus');
    await look?.(page);
    await page.fill('input[name=username]', 'admin');
    await page.fill('input[name=new_password]', word);
    await page.click('button#save');
    await page.waitForSelector('#username-problem');
    await assertFits(page);
    await page.fill('input[name=username]', name);
    await page.fill('input[name=new_password]', word);
    await page.click('button#save');
  }

  for (const [javaScriptEnabled, locale] of [
    [true, 'en-GB'],
    [false, 'en-GB'],
    [true, 'de'],
    [false, 'zh-CN'],
  ] as const) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} scripts, in ${locale}, at 320 pixels`;
    const name = `${javaScriptEnabled ? 'scripted' : 'plain'}-${locale.toLowerCase()}`;
    const isJudged = javaScriptEnabled && locale === 'en-GB';
    const options = { javaScriptEnabled, locale, viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const;

    test(`from an application over a new account to its token, ${how}`, async () => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(`${origin}/authorize?${authorizationQuery({ redirect_uri: otherOrigins.redirect_uri })}`);
      await page.click('a#sign-up');
      await assertFits(page);
      await page.waitForSelector('input[name=address]:focus');
      assert.match((await page.textContent('#way-on')) ?? '', /Photo Printer/);
      assert.deepEqual(await fieldsOf(page), ['address']);
      await page.fill('input[name=address]', `${name}@new.example`);
      await page.click('button#send');
      await page.waitForSelector(`[role=status]:has-text("${name}@new.example")`);
      await choose(page, linkIn(await box.next(`${name}@new.example`)), name, isJudged ? judge : undefined);
      await page.waitForSelector('button#allow');
      assert.deepEqual(await fieldsOf(page), []);
      await page.click('button#allow');
      await page.waitForLoadState();
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const { body } = await redeem(origin, code, { redirect_uri: otherOrigins.redirect_uri });
      assert.equal((await getUser(origin, body['access_token'])).body['email'], `${name}@new.example`);
      await context.close();
    });

    test(`from an invitation to the account page, ${how}`, async () => {
      const address = `guest-${name}@new.example`;
      const cli = { ...env, ISSUER: origin, SESSION_SECRET: deps.sessionSecrets[0] ?? '' };
      await latchkey(['user', 'invite', address], { env: cli });
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await choose(page, linkIn(await box.next(address)), `guest-${name}`);
      await page.waitForURL(`${origin}/account?notice=signed_up`);
      assert.equal(await page.inputValue('input[name=email]'), address);
      await context.close();
    });
  }
});
