// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { authorizationQuery, getUser, redeem } from '../support/flow.ts';
import { cheapHash, password, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { launchBrowser, skip } from './chromium.ts';
import { type OtherOrigins, openOtherOrigins } from './other-origins.ts';

const texts = { 'en-GB': 'Allow', fr: 'Autoriser' } as const;

describe("people of the operator's own table, in a real browser", { skip }, async () => {
  const { origin, database } = await startLatchkey();
  let browser: Browser;
  let otherOrigins: OtherOrigins;

  before(async () => {
    otherOrigins = await openOtherOrigins();
    await registerPrinter(database, { site_domain: 'localhost', redirect_uris: [otherOrigins.redirect_uri] });
    await database.query(`
      create table latchkey_accounts (
        subject uuid primary key default gen_random_uuid(), username text unique, email text unique, email_verified boolean default true,
        name text, password_hash text, disabled boolean default false)`);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    otherOrigins?.close();
  });

  for (const [scripts, locale] of [
    [true, 'en-GB'],
    [false, 'fr'],
  ] as const) {
    test(`from a fresh start to a token, ${scripts ? 'with' : 'without'} scripts, in ${locale}`, async () => {
      const name = `ada-${locale.toLowerCase()}`;
      const { rows } = await database.query(
        `insert into latchkey_accounts (username, email, name, password_hash) values ($1, $2, 'Ada', $3) returning subject`,
        [name, `${name}@example.com`, cheapHash],
      );
      const context = await browser.newContext({ javaScriptEnabled: scripts, locale });
      const page = await context.newPage();
      await page.goto(`${origin}/authorize?${authorizationQuery({ redirect_uri: otherOrigins.redirect_uri })}`);
      await page.fill('input[name=username]', name.toUpperCase());
      await page.fill('input[name=password]', 'not this one');
      await page.click('button#login');
      await page.waitForSelector('button#login');
      await page.fill('input[name=password]', password);
      await page.click('button#login');
      assert.match((await page.textContent('button#allow')) ?? '', new RegExp(texts[locale]));
      await page.click('button#allow');
      await page.waitForLoadState();
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const { body } = await redeem(origin, code, { redirect_uri: otherOrigins.redirect_uri });
      const user = (await getUser(origin, body['access_token'])).body;
      assert.deepEqual(
        [user['sub'], user['email'], user['email_verified']],
        [rows[0].subject, `${name}@example.com`, true],
      );
      await context.close();
    });
  }
});
