// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { addCounts } from '../../src/operations/counts.sql.ts';
import { getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, startWithPrinter } from '../support/latchkey.ts';
import { launchBrowser, skip } from './chromium.ts';

describe('an administrator looks after an application, in a real browser', { skip }, async () => {
  const { origin, database } = await startWithPrinter();
  let browser: Browser;

  before(async () => {
    await registerPeople(database, ['root', 'grace']);
    await database.query("update users set is_admin = true where username = 'root'");
    const counted = new Map([
      ['signed_in', 3],
      ['refused: code expired', 2],
      ['within: 0.005', 1],
      ['within: +Inf', 4],
    ]);
    await addCounts(database, counted, { host: 'machine-7', pid: 1, version: '1.0.0', started_at: new Date() });
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${origin}/login?to=${encodeURIComponent('/admin/applications')}`);
    await page.fill('input[name=username]', 'root');
    await page.fill('input[name=password]', password);
    await page.click('button#login');
    await page.waitForURL(`${origin}/admin/applications`);
  }

  for (const javaScriptEnabled of [true, false]) {
    test(`finds it, ends its tokens, passes it on, and reads the charts, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
      const page = await browser.newPage({ javaScriptEnabled, locale: 'en-GB' });
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
      });
      await signIn(page);
      await page.fill('input[name=find]', 'photo');
      await page.press('input[name=find]', 'Enter');
      await page.click('text=Photo Printer');
      await page.click('summary:has-text("Revoke all tokens")');
      assert.equal((await getUser(origin, body['access_token'])).status, 200, 'it asks first');
      assert.match((await page.textContent('.risks details[open] > summary')) ?? '', /stop working at once/);
      await page.click('button#revoke-tokens');
      assert.match((await page.textContent('.notice')) ?? '', /All tokens of the application have been revoked/);
      assert.equal((await getUser(origin, body['access_token'])).status, 401);
      await page.click('summary:has-text("Transfer ownership")');
      // beside the button that transfers, a link closes the form and forgets what was typed
      await page.fill('input[name=owner]', 'nobody');
      assert.equal(await page.textContent('#pass-on + a'), 'Cancel');
      await page.click('#pass-on + a');
      await page.waitForSelector('details.inset:not([open])');
      await page.click('summary >> text=Transfer ownership…');
      assert.equal(await page.inputValue('input[name=owner]'), '');
      await page.fill('input[name=owner]', 'nobody');
      await page.click('button#pass-on');
      assert.match(
        (await page.textContent('#owner-problem')) ?? '',
        /no person with the username, email address or subject “nobody”/,
      );
      await page.fill('input[name=owner]', 'grace');
      await page.click('button#pass-on');
      assert.match((await page.textContent('dl.facts')) ?? '', /grace/);
      await page.click('nav.admin-parts >> text=System status');
      await page.waitForSelector('main >> text=machine-7');
      await page.click('nav.admin-parts >> text=Charts');
      await page.click('text=Last 24 hours');
      assert.ok(await page.locator('svg polyline').count());
      const drawn = await page
        .locator('svg polyline.line-0')
        .first()
        .evaluate((line) => getComputedStyle(line).stroke);
      assert.notEqual(drawn, 'none');
      await page.locator('main summary').first().click();
      assert.ok(await page.locator('table').first().isVisible());
      await page.close();
      assert.deepEqual(complaints, []);
    });
  }
});
