// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startProgram } from '../libraries/program.ts';
import { findFreePort } from '../support/free-port.ts';
import { password, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { writeFile } from '../support/scratch.ts';
import { launchBrowser, skip } from './chromium.ts';

describe('a newcomer, in a real browser', { skip }, async () => {
  const { origin, database } = await startLatchkey({ REGISTRATION: 'open' });
  await registerPeople(database);

  for (const scripts of [true, false]) {
    test(`from the home page over the documentation to the first token, ${scripts ? 'with' : 'without'} scripts`, async (t) => {
      const browser = await launchBrowser();
      t.after(() => browser.close());
      const page = await (await browser.newContext({ javaScriptEnabled: scripts, locale: 'en-GB' })).newPage();
      const click = async (selector: string) => {
        await page.click(selector);
        await page.waitForLoadState();
      };
      await page.goto(origin);
      await click('text=Developer documentation');
      await click('nav >> text=Native and mobile application');
      assert.match((await page.textContent('#code-curl')) ?? '', /client_id=my-application/);
      await click('nav >> text=Register an application');
      await click('main a[href="/developer/applications"]');
      await page.fill('#username', 'alice');
      await page.fill('#password', password);
      await click('#login');
      await click('text=Register an application');
      await page.fill('#name', `Newcomer ${scripts}`);
      await page.fill('#site_domain', 'localhost');
      await page.fill('#redirect_uris', `http://localhost:${await findFreePort()}/callback`);
      await page.check('input[name="confidential"][value="false"]');
      await page.check('input[name="use:user:name"][value="optional"]');
      await click('main .primary');
      await click('main .codes >> text=curl');
      const program = (await page.textContent('#code')) ?? '';
      const terminal = startProgram('sh', [writeFile(`client-${scripts}.sh`, program)]);
      const [, link = ''] = await terminal.said(/Open (http\S+)\n/);
      await page.goto(link);
      // nothing listens there: what counts is the address
      const [request] = await Promise.all([page.waitForRequest(/\/callback\?/), page.click('#allow')]);
      terminal.type(request.url());
      const [answer] = await terminal.said(/\{"id":.*\}/);
      assert.equal(JSON.parse(answer).username, 'alice');
    });
  }

  test('on a phone the menu of the documentation names the present page, and leads on without scripts', async (t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const viewport = { width: 360, height: 640 };
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', viewport });
    const page = await context.newPage();
    await page.goto(`${origin}/developer/errors`);
    assert.equal(await page.locator('.documentation > nav').isVisible(), false);
    const menu = page.locator('.contents summary');
    assert.match((await menu.textContent()) ?? '', /Contents\s+Limits and errors/);
    await menu.click();
    assert.ok(await page.locator('.contents [aria-current="page"]').isVisible());
    await page.locator('.contents >> text=Your own API').click();
    await page.waitForURL(/\/developer\/api$/);
    await page.setViewportSize({ width: 1200, height: 800 });
    assert.deepEqual([await menu.isVisible(), await page.locator('.documentation > nav').isVisible()], [false, true]);
  });

  test('with the keyboard, and without scripts, a newcomer searches and opens the program of another language', async (t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const page = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })).newPage();
    await page.goto(`${origin}/developer/errors`);
    await page.focus('input[name="q"]');
    await page.keyboard.type('loopback free port');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/developer\?q=loopback/);
    await page.fill('input[name="q"]', 'requests-oauthlib');
    await page.keyboard.press('Enter');
    await page.click('.found >> text=Native and mobile application');
    await page.waitForURL(/\/developer\/native-application#part-1$/);
    assert.deepEqual(
      [await page.isVisible('#code-requests-oauthlib'), await page.isVisible('#code-curl')],
      [true, false],
    );
    await page.locator('summary', { hasText: 'curl' }).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(
      [await page.isVisible('#code-requests-oauthlib'), await page.isVisible('#code-curl')],
      [false, true],
    );
  });
});
