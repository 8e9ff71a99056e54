// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { authorizationQuery, getUser, redeem } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { launchBrowser, skip } from './chromium.ts';
import { type OtherOrigins, openOtherOrigins } from './other-origins.ts';

describe('a stronger sign-in for an application, and a file of what is kept, in a real browser', { skip }, async () => {
  const { origin, database } = await startLatchkey();
  await registerPeople(database);
  let browser: Browser;
  let otherOrigins: OtherOrigins;

  before(async () => {
    otherOrigins = await openOtherOrigins();
    await registerPrinter(database, { site_domain: 'localhost', redirect_uris: [otherOrigins.redirect_uri] });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    otherOrigins?.close();
  });

  const authorize = async (page: Page, changes: Record<string, string> = {}) => {
    await page.goto(
      `${origin}/authorize?${authorizationQuery({ redirect_uri: otherOrigins.redirect_uri, ...changes })}`,
    );
  };

  const signIn = async (page: Page) => {
    await page.fill('input[name=username]', 'alice');
    await page.fill('input[name=password]', password);
    await page.click('button#login');
    await page.waitForLoadState();
  };

  const answerIn = (page: Page, name: string) => new URL(page.url()).searchParams.get(name) ?? assert.fail(page.url());

  async function assertFits(page: Page): Promise<void> {
    assert.ok(
      (await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320,
      `${page.url()} is wider than 320 px`,
    );
  }

  for (const [scripts, locale, colorScheme, reason] of [
    [true, 'en-GB', 'light', /requires two-step verification/],
    [false, 'de', 'dark', /verlangt die Anmeldung in zwei Schritten/],
    [true, 'zh', 'dark', /要求两步登录/],
  ] as const) {
    test(`from a refusal to a stronger sign-in and to the file, ${scripts ? 'with' : 'without'} scripts, in ${locale}`, async () => {
      await database.query('delete from sessions');
      const context = await browser.newContext({
        ...{ javaScriptEnabled: scripts, locale, colorScheme },
        viewport: { width: 320, height: 640 },
      });
      const page = await context.newPage();
      await page.goto(`${origin}/login`);
      await signIn(page);
      await authorize(page, { acr_values: '2' });
      assert.match((await page.textContent('#step-up')) ?? '', reason);
      await assertFits(page);
      await signIn(page);
      await assertFits(page);
      await page.click('button#decline');
      await page.waitForLoadState();
      assert.equal(answerIn(page, 'error'), 'unmet_authentication_requirements');

      await database.query("update sessions set methods = '{password,totp}'");
      await authorize(page, { acr_values: '2', prompt: 'consent' });
      await page.click('button#allow');
      await page.waitForLoadState();
      const { body } = await redeem(origin, answerIn(page, 'code'), { redirect_uri: otherOrigins.redirect_uri });
      assert.equal((await getUser(origin, body['access_token'])).status, 200);

      await page.goto(`${origin}/account`);
      await assertFits(page);
      await database.query("update sessions set auth_time = now() - interval '1 hour'");
      await page.click('a[href="/account/export"]');
      await assertFits(page);
      await page.click('a#again');
      await signIn(page);
      assert.equal(page.url(), `${origin}/account`);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[href="/account/export"]')]);
      assert.equal(download.suggestedFilename(), 'account.json');
      const file = JSON.parse(readFileSync(await download.path(), 'utf8'));
      assert.equal(file.profile.username, 'alice');
      assert.equal(file.grants.length, 1);
      await context.close();
    });
  }
});
