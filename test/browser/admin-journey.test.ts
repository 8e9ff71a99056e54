// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Browser as Client } from '../support/browser.ts';
import { password, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { launchBrowser, skip } from './chromium.ts';

describe('an administrator helps somebody who is locked out, in a real browser', { skip }, async () => {
  const { origin, database } = await startLatchkey();
  let browser: Browser;

  before(async () => {
    await registerPeople(database, ['root', 'with-scripts', 'without-scripts']);
    await database.query("update users set is_admin = true where username = 'root'");
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  for (const scripts of [true, false]) {
    test(`finds, unlocks, hands over a link and reads the trail, ${scripts ? 'with' : 'without'} scripts`, async () => {
      const name = scripts ? 'with-scripts' : 'without-scripts';
      const context = await browser.newContext({ javaScriptEnabled: scripts, locale: 'en-GB' });
      const page = await context.newPage();
      await page.goto(`${origin}/login?to=/admin`);
      await page.fill('input[name=username]', 'root');
      await page.fill('input[name=password]', password);
      await page.click('button#login');
      // now, since the wait is short
      for (let attempt = 0; attempt < 7; attempt += 1) {
        const client = new Client(origin);
        await client.submit(await client.open('/login'), 'id="login"', { username: name, password: 'wrong' });
      }
      await page.fill('input[name=find]', name.slice(2, 9));
      await page.click('button.primary');
      await page.click('.name a');
      assert.match((await page.textContent('#lock')) ?? '', /Locked until/);
      await page.click('button#unlock');
      assert.match((await page.textContent('#lock')) ?? '', /Not locked/);
      assert.equal(await page.locator('button#unlock').count(), 0);
      await page.click('button#show_link');
      const link = (await page.textContent('#reset-link')) ?? '';
      assert.ok(
        !(await page.isVisible('button#make_admin')),
        'a click beside the button for a link makes no administrator',
      );
      await page.click('summary:has-text("Make administrator")');
      assert.match(
        (await page.textContent('.question[open] p')) ?? '',
        new RegExp(`${name} will be able to do everything`),
      );
      assert.ok(await page.isVisible('button#make_admin'));
      const other = await (await browser.newContext({ javaScriptEnabled: scripts })).newPage();
      await other.goto(link);
      await other.fill('input[name=new_password]', `a-new-password-${name}`);
      await other.click('button#save');
      await page.click('a:text-is("All events in the audit trail")');
      const trail = (await page.textContent('ol.log')) ?? '';
      for (const event of ['user_unlocked', 'reset_link_issued', 'password_reset'])
        assert.match(trail, new RegExp(event));
      assert.match(trail, /by root/);
      await other.context().close();
      await context.close();
    });
  }
});
