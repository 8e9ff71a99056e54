// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { password, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { launchBrowser, skip } from './chromium.ts';

describe('an administrator sets up scopes and a resource, in a real browser', { skip }, async () => {
  const { origin, database } = await startLatchkey();
  let browser: Browser;

  before(async () => {
    await registerPeople(database, ['root']);
    await database.query("update users set is_admin = true where username = 'root'");
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  for (const javaScriptEnabled of [true, false]) {
    test(`makes and describes a scope, gives it to a resource, and deletes both, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const page = await browser.newPage({ javaScriptEnabled, locale: 'en-GB', viewport: { width: 360, height: 740 } });
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
      });
      const assertFits = async () => {
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(excess <= 0, `${page.url()}: ${excess} px too wide`);
      };
      await page.goto(`${origin}/login?to=/admin`);
      await page.fill('input[name=username]', 'root');
      await page.fill('input[name=password]', password);
      await page.click('button#login');
      await page.click('nav.admin-parts >> text=Scopes');
      await assertFits();
      await page.fill('#name', 'user');
      await page.fill('#sentence', 'See your photos');
      await page.fill('#group_name', 'photos');
      await page.click('button#register');
      assert.match((await page.textContent('#name-problem')) ?? '', /is already a group/);
      assert.equal(await page.inputValue('#sentence'), 'See your photos');
      await page.fill('#name', 'photos:read');
      await page.click('button#register');
      await page.waitForURL(/photos%3Aread/);
      await assertFits();
      await page.click('summary:has-text("Translations")');
      await page.getByLabel('Deutsch').first().fill('Ihre Fotos sehen');
      await page.click('button#describe');
      assert.match((await page.textContent('.notice')) ?? '', /Description saved\. The audit trail/);
      assert.match((await page.textContent('#sentences ~ form summary')) ?? '', /^Translations\s+\(Deutsch\)$/);
      assert.equal(await page.getByLabel('Deutsch').first().inputValue(), 'Ihre Fotos sehen');

      await page.click('nav.admin-parts >> text=Resources');
      await page.fill('#resource', 'https://photos.example/api');
      await page.fill('#scopes', 'photos');
      await page.click('label:has(#jwt)');
      await page.click('button#register');
      assert.match((await page.textContent('dl.facts')) ?? '', /photos:read[\s\S]*JWT/);
      await assertFits();
      await page.goto(`${origin}/admin/scopes/photos:read`);
      assert.equal(await page.locator('button#delete').count(), 0, 'it is in use');
      await page.click('#content >> text=https://photos.example/api');
      assert.ok(!(await page.isVisible('button#delete')), 'it asks first');
      await page.click('summary:has-text("Delete resource")');
      assert.match((await page.textContent('.question[open]')) ?? '', /accepts JWTs that were already issued/);
      await page.click('button#delete');
      assert.match((await page.textContent('main')) ?? '', /No resources are registered/);
      await page.goto(`${origin}/admin/scopes/photos:read`);
      await page.click('summary:has-text("Delete scope")');
      await page.click('button#delete');
      assert.match(
        (await page.textContent('.notice')) ?? '',
        /Scope deleted\. The audit trail records it under your name/,
      );
      assert.doesNotMatch((await page.textContent('main')) ?? '', /photos:read/);
      await page.close();
      assert.deepEqual(complaints, []);
    });
  }
});
