import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerPlayground } from '../../src/playground/demo-client.ts';
import { password, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { violations } from './axe.ts';
import { launchBrowser, skip } from './chromium.ts';

// The shortest journey through the product, for every run of the tests; `journeys.test.ts` has the long ways.

test('a person refuses a permission, sees the application receive the rest, and ends it; axe reports nothing on the way', {
  skip,
}, async (t) => {
  const { origin, database, deps } = await startLatchkey({ DEMO: 'true' });
  await registerPlayground(deps);
  await registerPeople(database);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage({ locale: 'en-GB' });
  const reported: string[] = [];
  async function click(selector: string): Promise<void> {
    reported.push(...(await violations(page)));
    await page.click(selector);
    await page.waitForLoadState();
  }
  await page.goto(`${origin}/playground`);
  await click('#start');
  await page.fill('#username', 'alice');
  await page.fill('#password', password);
  await click('#login');
  await page.uncheck('input[value="user:email"]');
  await click('#allow');
  const received = (await page.textContent('[aria-labelledby="received"]')) ?? '';
  assert.match(received, /alice Liddell/);
  assert.doesNotMatch(received, /@/);
  await page.goto(`${origin}/account/applications`);
  await click('main a[href*="/account/applications/"]');
  await click('button.revoke');
  assert.match((await page.textContent('main')) ?? '', / no longer has access to your account/);
  assert.deepEqual(reported, []);
});
