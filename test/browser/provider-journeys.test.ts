// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { authorizationQuery, getUser, redeem } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { registerProvider } from '../support/providers.ts';
import { startRealProvider } from '../support/real-provider.ts';
import { launchBrowser, skip } from './chromium.ts';
import { type OtherOrigins, openOtherOrigins } from './other-origins.ts';

const texts = {
  'en-GB': { button: 'Sign in with Acme', stopped: 'You are not signed in', connect: 'Connect Acme', remove: 'Remove' },
  de: {
    button: 'Mit Acme anmelden',
    stopped: 'Sie sind nicht angemeldet',
    connect: 'Acme verbinden',
    remove: 'Entfernen',
  },
} as const;

describe('sign-in at another provider, in a real browser', { skip }, async () => {
  const { origin, database } = await startLatchkey();
  const op = await startRealProvider(`${origin}/login/provider/acme/callback`);
  let browser: Browser;
  let otherOrigins: OtherOrigins;

  before(async () => {
    otherOrigins = await openOtherOrigins();
    await registerPeople(database, ['on', 'off']);
    await registerPrinter(database, { site_domain: 'localhost', redirect_uris: [otherOrigins.redirect_uri] });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    otherOrigins?.close();
  });

  const register = (people: string) =>
    registerProvider(database, {
      issuer: op.issuer,
      client_id: op.client_id,
      client_secret: op.client_secret,
      people,
    });

  async function open(scripts: boolean, locale: string, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ javaScriptEnabled: scripts, locale });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await work(page);
    await context.close();
    assert.deepEqual(complaints, []);
  }

  async function click(page: Page, selector: string): Promise<void> {
    await page.click(selector);
    await page.waitForLoadState();
  }

  const authorize = `${origin}/authorize?`;
  const query = () => authorizationQuery({ redirect_uri: otherOrigins.redirect_uri });

  for (const [scripts, locale] of [
    [true, 'en-GB'],
    [false, 'de'],
  ] as const) {
    const name = scripts ? 'on' : 'off';
    const words = texts[locale];

    test(`from nothing to a token, with scripts ${name}, in ${locale}`, async () => {
      await register('created');
      op.account = {
        sub: `new-${name}`,
        email: `${name}@acme.example`,
        email_verified: true,
        preferred_username: `ada-${name}`,
      };
      await open(scripts, locale, async (page) => {
        await page.goto(authorize + query());
        assert.equal((await page.textContent('button.provider[value=acme]'))?.trim(), words.button);
        await click(page, 'button.provider[value=acme]');
        assert.ok(page.url().startsWith(op.issuer));
        await click(page, '#there');
        await click(page, '#allow');
        const code = new URL(page.url()).searchParams.get('code') ?? '';
        const { body } = await redeem(origin, code, { redirect_uri: otherOrigins.redirect_uri });
        const user = await getUser(origin, body['access_token']);
        assert.deepEqual([user.body['username'], user.body['email']], [`ada-${name}`, `${name}@acme.example`]);
      });
    });

    test(`a person connects an account, signs in with it and removes it, with scripts ${name}, in ${locale}`, async () => {
      await register('registered');
      op.account = { sub: `known-${name}`, email: `${name}@acme.example` };
      await open(scripts, locale, async (page) => {
        await page.goto(`${origin}/login?to=/account/security`);
        await click(page, 'button.provider[value=acme]');
        await click(page, '#there');
        assert.equal(await page.textContent('h1'), words.stopped);
        await click(page, '#retry');
        await page.fill('#username', name);
        await page.fill('#password', password);
        await click(page, '#login');
        assert.equal((await page.textContent('a.connect'))?.trim(), words.connect);
        await click(page, 'a.connect');
        await page.fill('#password', password);
        await click(page, '#connect');
        // signed in there already
        assert.equal(new URL(page.url()).pathname, '/account/security');
        assert.match((await page.textContent('[aria-labelledby=identities]')) ?? '', /Acme/);
        await click(page, 'header button.link');
        await page.goto(`${origin}/login?to=/account/security`);
        await click(page, 'button.provider[value=acme]');
        assert.equal(new URL(page.url()).pathname, '/account/security');
        assert.equal((await page.textContent('button.unlink'))?.trim(), words.remove);
        await click(page, 'button.unlink');
        assert.equal(await page.locator('button.unlink').count(), 0);
      });
    });
  }

  test('whoever cancels there comes to a page with a button, and not back there by itself', async () => {
    await register('registered');
    await open(true, 'en-GB', async (page) => {
      await page.goto(`${origin}/login`);
      await click(page, 'button.provider[value=acme]');
      await click(page, '#cancel');
      assert.equal(await page.textContent('h1'), 'You are not signed in');
      assert.ok(page.url().startsWith(origin));
    });
  });
});
