// ci: every page in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { violations } from './axe.ts';
import { launchBrowser, skip } from './chromium.ts';
import { fixtures } from './fixtures.ts';
import { openGallery } from './gallery.ts';

/** Returns the headings whose text begins at another edge than the element below them. */
function headingsBesideTheirText(): string[] {
  return Array.from(document.querySelectorAll('h1, h2')).flatMap((heading) => {
    const range = document.createRange();
    range.selectNodeContents(heading);
    const { left, bottom, width } = range.getBoundingClientRect();
    let below = heading.nextElementSibling ?? heading.parentElement?.nextElementSibling;
    const isBelow = (box: DOMRect | undefined) => box && box.width > 0 && box.top >= bottom - 4;
    while (below && !isBelow(below.getBoundingClientRect())) below = below.nextElementSibling;
    const isAligned = !below || width === 0 || Math.abs(below.getBoundingClientRect().left - left) < 1;
    return isAligned ? [] : [`${heading.textContent?.trim()}: ${left}, ${below?.outerHTML.slice(0, 60)}`];
  });
}

describe('every page, in a real browser', { skip }, () => {
  let browser: Browser;
  let gallery: Awaited<ReturnType<typeof openGallery>>;

  before(async () => {
    gallery = await openGallery();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    gallery?.close();
  });

  async function open(name: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${gallery.origin}/${name}`);
    return page;
  }

  for (const { name } of fixtures) {
    test(`${name}: axe reports nothing, the page fits into 320 px with each heading above its text, weighs under 30 KiB and obeys its own policy`, async () => {
      const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
      const complaints: string[] = [];
      const weights: Promise<number>[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('response', (response) => {
        // but for the icon, which the browser fetches before or after all the rest
        if (response.request().resourceType() === 'other') return;
        weights.push(response.body().then(({ length }) => length));
      });
      await page.goto(`${gallery.origin}/${name}`);
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      const indented = await page.evaluate(headingsBesideTheirText);
      const weight = (await Promise.all(weights)).reduce((sum, bytes) => sum + bytes, 0);
      await page.setViewportSize({ width: 1024, height: 720 });
      const found = await violations(page);
      await page.close();
      assert.deepEqual(found, []);
      assert.ok(excess <= 0, `${excess} px too wide`);
      assert.deepEqual(indented, [], 'headings that do not begin where what follows them begins');
      assert.ok(weight > 0 && weight < 30 * 1024, `${weight} bytes`);
      // Chromium reports a status of 4xx or 5xx as an error too; that is what error pages have
      assert.deepEqual(
        complaints.filter((text) => !text.includes('responded with a status of')),
        [],
      );
    });
  }

  test('without scripts, buttons that need one are hidden', async () => {
    for (const name of ['login', 'secret-shown-once']) {
      const page = await open(name, { javaScriptEnabled: false });
      assert.equal(await page.locator('button[data-reveal], button[data-copy]').filter({ visible: true }).count(), 0);
      await page.close();
    }
  });

  test('the copy button of a program copies exactly what is shown [A374]', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${gallery.origin}/developer-connect`);
    await page.click('button[data-copy="code"]');
    // the button does not wait until the text is in the clipboard
    const copied = await (await page.waitForFunction(() => navigator.clipboard.readText())).jsonValue();
    const selected = await page.evaluate(() => {
      getSelection()?.selectAllChildren(document.querySelector('#code') ?? document.body);
      return String(getSelection());
    });
    assert.equal(copied, selected);
    assert.match(copied, /^\/\/ npm install express/);
    assert.doesNotMatch(copied.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u);
    await context.close();
  });

  test('the password can be shown, and is hidden again on submit', async () => {
    const page = await open('login');
    await page.fill('#username', 'alice');
    await page.fill('#password', 'wonderland');
    await page.click('[data-reveal]');
    assert.equal(await page.getAttribute('#password', 'type'), 'text');
    await page.evaluate(() => document.forms[0]?.addEventListener('submit', (event) => event.preventDefault()));
    await page.click('#login');
    assert.equal(await page.getAttribute('#password', 'type'), 'password');
    await page.close();
  });

  test('Enter in a box of the consent page does not submit it, Enter on Allow does', async () => {
    const page = await open('consent');
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData() ?? ''));
    await page.focus('input[value="user:email"]');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    assert.deepEqual(posts, []);
    await page.focus('#allow');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    assert.match(posts.join(), /scope=user%3Aname&scope=user%3Aemail.*decision=allow/);
    await page.close();
  });

  for (const width of [320, 1024]) {
    test(`the whole row of a permission is clickable and at least 44 px high, at ${width} px`, async () => {
      const page = await open('consent', { viewport: { width, height: 900 } });
      const rows = await page.locator('.permission').all();
      assert.equal(rows.length, 4);
      for (const row of rows) {
        const box = row.locator('input[type="checkbox"]');
        const { width: wide, height: high } = (await row.boundingBox()) ?? assert.fail('no row');
        assert.ok(high >= 44, `${high} px`);
        const required = await box.isDisabled();
        for (const position of [
          { x: 2, y: 3 },
          { x: wide - 3, y: 3 },
          { x: 2, y: high - 2 },
          { x: wide - 3, y: high - 2 },
          { x: wide / 2, y: high / 2 },
        ]) {
          const before = await box.isChecked();
          await row.click({ position });
          assert.equal(await box.isChecked(), required ? before : !before, JSON.stringify({ position, wide, high }));
        }
      }
      await page.close();
    });
  }

  for (const name of ['consent-unknown', 'consent-document']) {
    test(`${name}: the whole host is visible at 320 px, before the name that the application claims [A347]`, async () => {
      const page = await open(name, { viewport: { width: 320, height: 640 } });
      const host = page.locator('.parameter-host, .parameter-domain').first();
      assert.match((await host.textContent()) ?? '', /^accounts\.printer\.example\.[a-z-]+\.evil\.example$/);
      const lines = await host.evaluate((element) =>
        Array.from(element.getClientRects(), ({ left, right, bottom }) => ({ left, right, bottom })),
      );
      assert.ok(lines.every(({ left, right }) => left >= 0 && right <= 320));
      const claimed = await page.locator('.parameter-client').first().boundingBox();
      assert.ok(claimed && lines.every(({ bottom }) => bottom <= claimed.y + claimed.height && bottom < 640));
      const order = await page.locator('main').evaluate((main) => main.textContent ?? '');
      assert.ok(order.indexOf('evil.example') < order.indexOf('Photo Printer'));
      await page.close();
    });
  }

  for (const scripts of [true, false]) {
    test(`times are in the reader’s zone with scripts, and in UTC with the zone named without: ${scripts ? 'on' : 'off'}`, async () => {
      const context = await browser.newContext({
        timezoneId: 'Asia/Tokyo',
        javaScriptEnabled: scripts,
        locale: 'en-GB',
      });
      const page = await context.newPage();
      await page.goto(`${gallery.origin}/account-activity`);
      const first = page.locator('.log time').first();
      const shown = (await first.textContent()) ?? '';
      const at = new Date((await first.getAttribute('datetime')) ?? '');
      const timeZone = scripts ? 'Asia/Tokyo' : 'UTC';
      const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at);
      assert.equal(shown, scripts ? local : `${local} UTC`);
      assert.equal(await page.locator('time:not([data-show])').count(), 0, 'every time goes this way');
      const text = (await page.textContent('main')) ?? '';
      assert.equal(text.includes(' UTC'), !scripts);
      // a time to the second is compared with logs, which have times of other zones
      await page.goto(`${gallery.origin}/developer-application-activity`);
      const second = (await page.locator('time[data-show="second"]').first().textContent()) ?? '';
      assert.match(second, scripts ? / (GMT\+9|JST)$/ : / UTC$/);
      await context.close();
    });
  }

  test('a click within half a second of the consent page’s appearance does not allow anything [A170]', async () => {
    const page = await open('consent', { viewport: { width: 1024, height: 1400 } });
    const hit = () => {
      const { x, y } = document.querySelector('#allow')?.getBoundingClientRect() ?? { x: 0, y: 0 };
      return document.elementFromPoint(x + 20, y + 20)?.id ?? '';
    };
    // the button appears once more, with its animation halted: a slow machine must not turn "right after" into "a second later"
    const hitAt = (milliseconds: number) =>
      page.evaluate(`(() => {
        const button = document.querySelector('#allow.armed');
        button.hidden = true;
        void button.offsetWidth;
        button.hidden = false;
        const [animation] = button.getAnimations();
        animation.pause();
        animation.currentTime = ${milliseconds};
        return (${hit})();
      })()`);
    for (const early of [0, 200, 450]) assert.notEqual(await hitAt(early), 'allow', `after ${early} ms`);
    assert.equal(await hitAt(500), 'allow');
    await page.close();
  });

  test('an application that opened the consent page in a popup keeps its window reference on return', async () => {
    const application = await openGallery();
    const page = await browser.newPage();
    await page.goto(`${application.origin}/login`);
    const opened = page.waitForEvent('popup');
    await page.evaluate((href) => void open(href), `${gallery.origin}/consent`);
    const popup = await opened;
    await popup.waitForSelector('#allow');
    await popup.goto(`${application.origin}/consent`);
    assert.equal(await popup.evaluate(() => opener !== null), true);
    await page.close();
    application.close();
  });
});
