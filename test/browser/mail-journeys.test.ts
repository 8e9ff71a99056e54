// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startMailing } from '../../src/accounts/mail/mailing.ts';
import { authorizationQuery, getUser, redeem, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../support/smtp-server.ts';
import { launchBrowser, skip } from './chromium.ts';
import { type OtherOrigins, openOtherOrigins } from './other-origins.ts';

describe('mails, in a real browser', { skip }, async () => {
  const box = await startSmtpServer();
  const { origin, database, deps } = await startLatchkey({ SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example' });
  let browser: Browser;
  let otherOrigins: OtherOrigins;
  let mailing: { stop(): void };

  before(async () => {
    otherOrigins = await openOtherOrigins();
    await registerPrinter(database, { site_domain: 'localhost', redirect_uris: [otherOrigins.redirect_uri] });
    mailing = startMailing(deps);
    browser = await launchBrowser();
  });
  after(async () => {
    mailing?.stop();
    await browser?.close();
    otherOrigins?.close();
  });

  /** What the browser asks for, to see that no secret of a link goes anywhere. */
  function watch(page: Page): { url: string; referer: string }[] {
    const seen: { url: string; referer: string }[] = [];
    page.on('request', (request) => seen.push({ url: request.url(), referer: request.headers()['referer'] ?? '' }));
    return seen;
  }

  for (const [javaScriptEnabled, locale] of [
    [true, 'en-GB'],
    [false, 'de'],
    [false, 'zh-CN'],
  ] as const) {
    test(`from a forgotten password to a token, ${javaScriptEnabled ? 'with' : 'without'} scripts, in ${locale}, at 320 pixels`, async () => {
      const name = `ada-${locale.toLowerCase()}`;
      await registerPeople(database, [name]);
      const viewport = { width: 320, height: 640 };
      const context = await browser.newContext({ javaScriptEnabled, locale, viewport, colorScheme: 'dark' });
      const page = await context.newPage();
      const seen = watch(page);
      await page.goto(`${origin}/authorize?${authorizationQuery({ redirect_uri: otherOrigins.redirect_uri })}`);
      await page.click('a#forgot');
      await page.fill('input[name=address]', name.toUpperCase());
      await page.click('button#send');
      await page.waitForSelector('[role=status]');
      const link = linkIn(await box.next(`${name}@example.com`));
      await page.goto(link);
      assert.doesNotMatch(page.url(), /token|lk_ml_/);
      assert.match((await page.textContent('main')) ?? '', new RegExp(name));
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(width) <= viewport.width, 'nothing is cut off');
      await page.fill('input[name=new_password]', 'short');
      await page.click('button#save');
      await page.waitForSelector('#new_password-problem');
      await page.fill('input[name=new_password]', 'a rabbit hole of nine lives');
      await page.click('button#save');
      await page.click('button#allow');
      await page.waitForLoadState();
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const { body } = await redeem(origin, code, { redirect_uri: otherOrigins.redirect_uri });
      assert.equal((await getUser(origin, body['access_token'])).body['username'], name);
      const leaks = seen.filter(
        ({ url, referer }) => (url.includes('lk_ml_') && url !== link) || referer.includes('lk_ml_'),
      );
      assert.deepEqual(leaks, []);
      await page.goto(link);
      assert.equal(await page.$('button#save'), null, 'once');
      await context.close();
    });
  }

  test('a new address is confirmed in the browser of the person, and the former one takes it back', async () => {
    await registerPeople(database, ['carol']);
    const context = await browser.newContext({ locale: 'fr' });
    const page = await context.newPage();
    await page.goto(`${origin}/login?to=/account`);
    await page.fill('input[name=username]', 'carol');
    await page.fill('input[name=password]', password);
    await page.click('button#login');
    await page.fill('input[name=email]', 'carol@new.example');
    await page.fill('input[name=current_password]', password);
    await page.click('form[action="/account"] button.primary');
    await page.waitForSelector('.notice');
    await page.goto(linkIn(await box.next('carol@new.example')));
    await page.click('button#confirm');
    await page.waitForSelector('.notice');
    assert.equal(await page.inputValue('input[name=email]'), 'carol@new.example');
    const victim = await (await browser.newContext({ locale: 'fr' })).newPage();
    await victim.goto(linkIn(await box.next('carol@example.com', /changer/)));
    await victim.click('button#undo');
    await victim.fill('input[name=new_password]', 'mine again, and longer');
    await victim.click('button#save');
    await victim.waitForURL(/notice=password_reset/);
    await page.goto(`${origin}/account`);
    assert.match(page.url(), /\/login/);
    const { rows } = await database.query("select email, email_verified from users where username = 'carol'");
    assert.deepEqual(rows, [{ email: 'carol@example.com', email_verified: true }]);
    await context.close();
  });
});

test('the demo shows its mails on a page, where only this machine can see it', async () => {
  const demo = await startLatchkey({ DEMO: 'true' });
  await registerPeople(demo.database, ['alice']);
  const browser = await signedInBrowser(demo.origin);
  const asked = await browser.submit(await browser.visit('/forgot-password'), 'id="send"', { address: 'alice' });
  assert.match(asked.text, /href="\/playground\/mails"/);
  const mailing = startMailing(demo.deps);
  let href: string | undefined;
  // beside the mail about the sign-in
  while (href === undefined) {
    const page = await browser.visit('/playground/mails');
    href = /class="mailed" href="([^"]*reset-password[^"]*)"/.exec(page.text)?.[1];
  }
  mailing.stop();
  assert.match((await browser.visit(href.replaceAll('&amp;', '&'))).text, /id="save"/);
  const { rows } = await demo.database.query('select to_jsonb(mails) as mail from mails');
  assert.doesNotMatch(JSON.stringify(rows), /lk_ml_/);
  const open = await startLatchkey({ DEMO: 'true', HOST: '0.0.0.0' });
  assert.equal((await fetch(`${open.origin}/playground/mails`)).status, 404);
  const sending = await startLatchkey({ DEMO: 'true', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@id.example' });
  assert.equal((await fetch(`${sending.origin}/playground/mails`)).status, 404);
});
