// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chapters } from '../../src/portal/portal.ts';
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
      assert.match((await page.textContent('#code-requests-oauthlib')) ?? '', /"my-application"/);
      await click('nav >> text=Register an application');
      await click('main a[href="/developer/applications"]');
      await page.fill('#username', 'alice');
      await page.fill('#password', password);
      await click('#login');
      await click('text=Register an application');
      await click('.presets >> text=Native and mobile application');
      await page.fill('#name', `Newcomer ${scripts}`);
      await page.fill('#site_domain', 'localhost');
      await page.fill('#redirect_uris', `http://localhost:${await findFreePort()}/callback`);
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
    assert.equal(await page.locator('.contents nav').isVisible(), false);
    const menu = page.locator('.contents summary');
    assert.match((await menu.textContent()) ?? '', /Contents\s+Errors and limits/);
    await menu.click();
    assert.ok(await page.locator('.contents [aria-current="page"]').isVisible());
    await page.locator('.contents >> text=Your own API').click();
    await page.waitForURL(/\/developer\/api$/);
    await page.setViewportSize({ width: 1200, height: 800 });
    assert.deepEqual([await menu.isVisible(), await page.locator('.contents nav').isVisible()], [false, true]);
  });

  test('on a phone, no page of the documentation is cut off or too wide, and no name of a request breaks in a word', async (t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const viewport = { width: 390, height: 844 };
    for (const javaScriptEnabled of [true, false]) {
      const page = await (await browser.newContext({ javaScriptEnabled, locale: 'en-GB', viewport })).newPage();
      for (const { path } of chapters) {
        await page.goto(origin + path);
        const found = await page.evaluate(() => {
          const wide = [...document.querySelectorAll('main *')].filter(
            // a program scrolls by mouse and by keyboard
            (one) =>
              one.clientWidth > 0 &&
              one.scrollWidth > one.clientWidth &&
              !(one.matches('pre[tabindex="0"]') && getComputedStyle(one).overflowX === 'auto'),
          );
          const broken = [...document.querySelectorAll('h3 code, .facts .uri')].filter(({ firstChild }) =>
            [...(firstChild?.textContent ?? '').matchAll(/\S+/g)].some(({ 0: word, index }) => {
              const range = document.createRange();
              range.setStart(firstChild as Text, index);
              range.setEnd(firstChild as Text, index + word.length);
              return range.getClientRects().length > 1;
            }),
          );
          return [...wide, ...broken].map(({ outerHTML }) => outerHTML.slice(0, 80));
        });
        assert.deepEqual(found, [], path);
      }
      await page.context().close();
    }
    const page = await browser.newPage({ viewport });
    for (const language of ['en', 'de', 'es', 'fr', 'zh']) {
      await page.goto(`${origin}/developer?ui_locales=${language}`);
      const [needed = 0, room = 0] = await page.locator('.find input').evaluate((input: HTMLInputElement) => {
        const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(input);
        const canvas = document.createElement('canvas').getContext('2d');
        if (canvas) canvas.font = font;
        const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd);
        return [canvas?.measureText(input.placeholder).width, input.clientWidth - padding];
      });
      assert.ok(needed > 0 && needed <= room, `${language}: ${needed} px of ${room} px`);
    }
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
    await page.waitForURL(/\/developer\/native-application#programs$/);
    assert.deepEqual(
      [await page.isVisible('#code-requests-oauthlib'), await page.isVisible('#code-x-oauth2')],
      [true, false],
    );
    await page.locator('summary', { hasText: 'Go:' }).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(
      [await page.isVisible('#code-requests-oauthlib'), await page.isVisible('#code-x-oauth2')],
      [false, true],
    );
  });

  test('the programming language that was chosen on a page is open on the next', async (t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    const isOpen = async () => [
      await page.isVisible('#code-mcp-server'),
      await page.isVisible('#code-mcp-server-python'),
    ];
    await page.goto(`${origin}/developer/mcp-server-programs`);
    assert.deepEqual(await isOpen(), [true, false]);
    await page.goto(`${origin}/developer/native-application`);
    await page.locator('summary', { hasText: 'Go:' }).click();
    await page.locator('summary', { hasText: 'Python:' }).click();
    await page.goto(`${origin}/developer/mcp-server-programs`);
    assert.deepEqual(await isOpen(), [false, true]);
  });
});
