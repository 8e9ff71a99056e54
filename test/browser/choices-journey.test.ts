import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { registerPlayground } from '../../src/playground/demo-client.ts';
import { applySeed } from '../../src/postgres/migrations.ts';
import { startLatchkey } from '../support/latchkey.ts';
import { violations } from './axe.ts';
import { launchBrowser, skip } from './chromium.ts';

describe('choosing albums of the demo', { skip }, async () => {
  if (skip) return;
  const { origin, database, deps, url } = await startLatchkey({ DEMO: 'true' });
  await applySeed({ connectionString: url }, 'migrations/seeds/demo.sql');
  await registerPlayground(deps);
  // so that alice has more than one page of them
  await database.query(`insert into latchkey_demo.albums
    select user_id::text, 'old-' || number, 'Old negatives ' || number, number, '1990-01-01'
    from users, generate_series(1, 60) number
    where username = 'alice'`);
  const browser = await launchBrowser();
  after(() => browser.close());

  /** On the consent page of the playground. */
  async function arrive(options: Parameters<typeof browser.newPage>[0]) {
    const page = await browser.newPage({ locale: 'en-GB', ...options });
    await page.goto(`${origin}/playground?prompt=consent`);
    await page.click('#start');
    await page.fill('#username', 'alice');
    await page.fill('#password', 'wonderland');
    await page.click('#login');
    await page.waitForSelector('#allow');
    return page;
  }
  type Page = Awaited<ReturnType<typeof arrive>>;

  const listed = (page: Page) => page.locator('[aria-labelledby="chosen"] bdi').allTextContents();
  const ticked = (page: Page) =>
    page
      .locator('input[name="choice.albums"]:checked')
      .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value).sort());

  test('two albums are chosen by the keyboard alone, and the playground lists them; axe reports nothing on a phone, light or dark', async () => {
    const page = await arrive({ viewport: { width: 390, height: 720 } });
    const reported: string[] = [];
    const look = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        reported.push(...(await violations(page)));
      }
    };
    await look();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
    const pressed = async (keys: string, wanted: string) => {
      for (let presses = 0; (await focused()) !== wanted; presses += 1) {
        assert.ok(presses < 150, `${wanted} is not reached`);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press(keys);
    };
    await pressed('Space', 'kittens');
    await pressed('Space', 'snow');
    await Promise.all([page.waitForURL('**/playground/flow'), pressed('Enter', 'allow')]);
    assert.deepEqual(await listed(page), ['kittens', 'snow']);
    await page.goto(`${origin}/account/applications/playground`);
    assert.deepEqual(await ticked(page), ['kittens', 'snow']);
    await look();
    assert.deepEqual(reported, []);
    await page.close();
  });

  test('without scripts, ticks survive the search, the next page, the way back and another language', async () => {
    const page = await arrive({ javaScriptEnabled: false });
    const press = (selector: string) => Promise.all([page.waitForEvent('load'), page.click(selector)]);
    for (const value of await ticked(page)) await page.uncheck(`input[name="choice.albums"][value="${value}"]`);
    await page.check('input[value="wales"]');
    await press('button[name="page.albums"][value="2"]');
    await page.check('input[value="old-60"]');
    await press('button[name="page.albums"][value="1"]');
    assert.deepEqual(await ticked(page), ['old-60', 'wales']);
    await page.fill('input[name="q.albums"]', 'ROOF');
    await press('button[name="search"]');
    await page.check('input[value="library"]');
    await press('button[lang="de"]');
    assert.match((await page.textContent('main')) ?? '', /Welche Alben darf Playground sehen\?/);
    assert.deepEqual(await ticked(page), ['library', 'old-60', 'wales']);
    await press('#allow');
    assert.deepEqual(await listed(page), ['library', 'old-60', 'wales']);
    await page.close();
  });
});
