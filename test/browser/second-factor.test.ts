// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { authorizationQuery } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { codeOf, readSecret } from '../support/second-factor.ts';
import { launchBrowser, skip } from './chromium.ts';

describe('signing in with a second factor, in a real browser', { skip, concurrency: 2 }, async () => {
  const { origin, database } = await startLatchkey();
  const strict = await startLatchkey({ SECOND_FACTOR: 'everybody', SECOND_FACTOR_GRACE: '0' });
  let browser: Browser;

  before(async () => {
    const people = ['scripts-en', 'plain-en', 'scripts-de', 'plain-zh'];
    await registerPeople(database, people);
    await registerPeople(strict.database, ['newcomer']);
    for (const one of [database, strict.database]) await registerPrinter(one);
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  async function signIn(page: Page, username: string): Promise<void> {
    await page.locator('#username').fill(username);
    await page.locator('#password').fill(password);
    await page.locator('#login').click();
  }

  const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

  async function setUp(page: Page): Promise<{ secret: Buffer; codes: string[] }> {
    const secret = readSecret((await page.locator('#secret').textContent()) ?? '');
    assert.ok(await fits(page), 'the setup is wider than the window');
    await page.locator('#code').fill(codeOf(secret));
    await page.locator('#verify').click();
    const codes = await page.locator('.recovery-code').allTextContents();
    assert.equal(codes.length, 10);
    assert.ok(await fits(page), 'the codes are wider than the window');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
    const file = readFileSync(await download.path(), 'utf8');
    assert.deepEqual([download.suggestedFilename(), file.split('\n').slice(1, -1)], ['recovery-codes.txt', codes]);
    assert.match(file, /^Latchkey · \S+ · http/);
    assert.ok(!codes.some((code) => page.url().includes(code)));
    await page.locator('#go-on').click();
    return { secret, codes };
  }

  for (const [locale, javaScriptEnabled, width] of [
    ['en', true, 1280],
    ['en', false, 320],
    ['de', true, 320],
    ['zh', false, 1280],
  ] as const) {
    const name = `${javaScriptEnabled ? 'scripts' : 'plain'}-${locale}`;
    test(`${name}, ${width} px: set up an app, sign in with its code, then with a recovery code`, async () => {
      const context = await browser.newContext({
        ...{ javaScriptEnabled, locale, viewport: { width, height: 700 } },
        colorScheme: width === 320 ? 'dark' : 'light',
      });
      const page = await context.newPage();
      await page.goto(`${origin}/login?to=/account/security`);
      await signIn(page, name);
      await page.locator('#add-code').click();
      const { secret, codes } = await setUp(page);
      await page.waitForURL(`${origin}/account/security`);
      await context.clearCookies();
      await page.goto(`${origin}/authorize?${authorizationQuery()}`);
      await signIn(page, name);
      assert.ok(await fits(page));
      await page.locator('#code').fill(codeOf(secret, 1));
      await page.locator('#verify').click();
      await page.locator('#allow').waitFor();
      await context.clearCookies();
      await page.goto(`${origin}/login?to=/account`);
      await signIn(page, name);
      await page.locator('summary').click();
      await page.locator('#recovery-code').fill(codes[3] ?? '');
      await page.locator('#recover').click();
      await page.waitForURL(`${origin}/account`);
      assert.ok(await fits(page));
      await context.close();
    });
  }

  test('somebody of whom the operator demands a factor sets it up on the way to the application', async () => {
    const page = await browser.newPage();
    await page.goto(`${strict.origin}/authorize?${authorizationQuery({ prompt: 'login' })}`);
    await signIn(page, 'newcomer');
    await setUp(page);
    await page.locator('#allow').waitFor();
    await page.close();
  });
});
