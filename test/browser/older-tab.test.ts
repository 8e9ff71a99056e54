// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findAnyClient } from '../../src/clients/clients.sql.ts';
import { authorizationQuery } from '../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { launchBrowser, skip } from './chromium.ts';

describe('two tabs, and sessions that end in the middle of a form', { skip, concurrency: 1 }, async () => {
  const { origin, database } = await startLatchkey({ REGISTRATION: 'open' });
  const path = `${origin}/developer/applications/photo-printer`;
  const [good, bad] = ['https://printer.example/callback', 'https://printer.example/old'];
  let browser: Browser;

  before(async () => {
    await registerPeople(database, ['alice']);
    await registerPrinter(database, { redirect_uris: [good, bad], scopes: ['user', 'repo:read'] });
    await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  async function signIn(page: Page): Promise<void> {
    await page.fill('#username', 'alice');
    await page.fill('#password', password);
    await page.click('#login');
    await page.waitForLoadState();
  }
  const save = (page: Page) => page.click('form:has([name="redirect_uris"]) button.primary');

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? 'with scripts' : 'without scripts';

    test(`the older tab shows what changed meanwhile, and its second press saves, ${scripts}`, async () => {
      await database.query('update clients set redirect_uris = $1', [[good, bad]]);
      const context = await browser.newContext({ javaScriptEnabled, locale: 'en-GB' });
      const older = await context.newPage();
      await older.goto(`${path}/registration`);
      await signIn(older);
      const newer = await context.newPage();
      await newer.goto(`${path}/registration`);
      await newer.fill('#redirect_uris', good);
      await save(newer);
      await newer.waitForSelector('.notice[role="status"]');
      await older.fill('#name', `Photo Press ${scripts}`);
      await save(older);
      const told = await older.waitForSelector('#changed-meanwhile [data-field="redirect_uris"]');
      assert.equal(((await told.textContent()) ?? '').split(bad).length, 2, 'only in the older form');
      assert.equal(await older.inputValue('#redirect_uris'), good);
      assert.equal(await older.inputValue('#name'), `Photo Press ${scripts}`);
      await save(older);
      await older.waitForSelector('.notice[role="status"]');
      const stored = await findAnyClient(database, printer.client_id);
      assert.deepEqual([stored?.name, stored?.redirect_uris], [`Photo Press ${scripts}`, [good]]);
      await context.close();
    });

    test(`a form of the console and a refusal on the consent page outlive their session, ${scripts}`, async () => {
      const context = await browser.newContext({ javaScriptEnabled, locale: 'en-GB' });
      const page = await context.newPage();
      await page.goto(`${path}/registration`);
      await signIn(page);
      await page.fill('#name', `After all ${scripts}`);
      await database.query('delete from sessions');
      await save(page);
      await page.waitForSelector('#problem');
      await signIn(page);
      await page.waitForSelector('#restored');
      assert.equal(await page.inputValue('#name'), `After all ${scripts}`);
      await save(page);
      await page.waitForSelector('.notice[role="status"]');
      assert.equal((await findAnyClient(database, printer.client_id))?.name, `After all ${scripts}`);

      await database.query('delete from grants');
      await page.goto(`${origin}/authorize?${authorizationQuery({ scope: 'user repo:read' })}`);
      await page.uncheck('input[value="user:email"]');
      await page.check('#duration-30d');
      await page.click('button[lang="fr"]');
      await page.waitForSelector('html[lang="fr"]');
      await page.uncheck('input[value="repo:read"]');
      await database.query('delete from sessions');
      await page.click('#allow');
      await signIn(page);
      await page.waitForSelector('html[lang="fr"] #allow');
      const ticked = await page
        .locator('input[name="scope"]:checked')
        .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value')));
      assert.deepEqual([ticked, await page.isChecked('#duration-30d')], [['user:name'], true]);
      const answer = page.waitForRequest((request) => request.url().startsWith(good));
      await page.click('#allow');
      assert.match((await answer).url(), /[?&]code=/);
      const { rows } = await database.query('select scopes, refused_scopes from grants');
      assert.deepEqual(rows[0], { scopes: ['user:name'], refused_scopes: ['user:email', 'repo:read'] });
      await context.close();
    });
  }
});
