import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, skip } from './chromium.ts';
import { fixtures } from './fixtures.ts';
import { openGallery } from './gallery.ts';

/** One page for each view. */
const views = fixtures.filter(({ view }, at) => fixtures.findIndex((other) => other.view === view) === at);

describe('how the pages look, in a real browser', { skip }, () => {
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

  test('on a phone the header of every page is one line, also without scripts', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 640 }, javaScriptEnabled: false });
    const tall: string[] = [];
    for (const { name } of views) {
      await page.goto(`${gallery.origin}/${name}`);
      const { height = 0 } = (await page.locator('header').boundingBox()) ?? {};
      if (height === 0 || height > 60) tall.push(`${name}: ${height} px`);
    }
    await page.close();
    assert.deepEqual(tall, []);
  });

  test('the menu of a phone opens without scripts, and has the places and the way out', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 640 }, javaScriptEnabled: false });
    await page.goto(`${gallery.origin}/account`);
    const links = page.locator('header .menu a');
    assert.equal(await links.first().isVisible(), false);
    await page.focus('header summary');
    await page.keyboard.press('Enter');
    for (const link of await links.all()) assert.equal(await link.isVisible(), true);
    assert.equal(await links.count(), 3);
    const { x = -1, width = 0 } = (await page.locator('header .menu > div').boundingBox()) ?? {};
    assert.ok(x >= 0 && x + width <= 360);
    assert.equal(await page.locator('header button').filter({ visible: true }).count(), 1);
    await page.close();
  });

  for (const width of [360, 1280]) {
    test(`brand, navigation and content begin at one edge, at ${width} px`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 720 } });
      for (const { name } of views) {
        await page.goto(`${gallery.origin}/${name}`);
        const left = (selector: string) =>
          page
            .locator(selector)
            .first()
            .evaluate((element) => element.getBoundingClientRect().left);
        const [brand, main, footer] = [await left('.brand'), await left('main'), await left('footer')];
        assert.deepEqual([main, footer].map(Math.round), [Math.round(brand), Math.round(brand)], name);
      }
      await page.close();
    });
  }
});
