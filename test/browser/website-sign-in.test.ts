// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { registerPlayground } from '../../src/playground/demo-client.ts';
import { authorizationQuery, getUser, redeem } from '../support/flow.ts';
import { registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { answerTo, listen, readRequest, sharedSecret } from '../support/website.ts';
import { launchBrowser, skip } from './chromium.ts';

/** the server that the website serves */
const current = { issuer: '' };

/** Every request that reached the website, with the address from which the browser came. */
const arrived: { url: string; referer: string | undefined }[] = [];

/** Answers with a form and a link, of which the person uses one; `/planted` sends somebody else's answer. */
const site = await listen(async (req, res) => {
  const url = new URL(req.url ?? '', `http://${req.headers.host}`);
  arrived.push({ url: url.href, referer: req.headers.referer });
  res.setHeader('content-type', 'text/html');
  if (url.pathname === '/callback') return void res.end('<h1>The application</h1>');
  if (url.pathname === '/planted')
    return void res.end(formWith(url.searchParams.get('to') ?? '', planted.response, true));
  if (url.pathname !== '/sign-in') return void res.writeHead(404).end();
  const asked = await readRequest(current.issuer, url.href);
  const response = answerTo(asked, { sub: 'ada-1', username: 'ada', name: 'Ada Lovelace' });
  const back = `${asked.return_to}?response=${response}`;
  const cancel = `${asked.return_to}?nonce=${asked.nonce}&error=access_denied`;
  res.end(
    `${formWith(asked.return_to, response)}<a id="link" href="${back}">Back</a><a id="cancel" href="${cancel}">Cancel</a>`,
  );
});
// cookies know no ports: only another host is another site
const website = site.replace('127.0.0.1', 'localhost');
const planted = { response: '' };
const redirect_uri = `${website}/callback`;

function formWith(action: string, response: string, isAutomatic = false): string {
  const field = `<input type="hidden" name="response" value="${response}">`;
  const script = isAutomatic ? '<script>document.forms[0].submit()</script>' : '';
  return `<form method="post" action="${action}">${field}<button id="post">Back</button></form>${script}`;
}

describe('signing in at a website, in a real browser', { skip }, async () => {
  const env = { SIGN_IN_URL: `${website}/sign-in`, SIGN_IN_SECRET: sharedSecret };
  const { origin, database } = await startLatchkey(env);
  const alone = await startLatchkey({ ...env, PASSWORDS: 'off' });
  const demo = await startLatchkey({ DEMO: 'true' });
  current.issuer = origin;
  let browser: Browser;

  before(async () => {
    for (const one of [database, alone.database]) {
      await registerPrinter(one, { site_domain: 'localhost', redirect_uris: [redirect_uri] });
    }
    await registerPlayground(demo.deps);
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  async function open(locale: string, javaScriptEnabled: boolean, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ javaScriptEnabled, locale });
    await work(await context.newPage());
    await context.close();
  }

  const request = (at: string, changes = {}) => `${at}/authorize?${authorizationQuery({ redirect_uri, ...changes })}`;

  async function tokenFrom(page: Page, at: string): Promise<unknown> {
    const code = new URL(page.url()).searchParams.get('code') ?? assert.fail(page.url());
    const { body } = await redeem(at, code, { redirect_uri });
    return (await getUser(at, body['access_token'])).body['username'];
  }

  for (const [locale, scripts, way] of [
    ['en-GB', true, '#post'],
    ['en-GB', false, '#link'],
    ['de-DE', true, '#link'],
    ['de-DE', false, '#post'],
  ] as const) {
    test(`${locale}, ${scripts ? 'with' : 'without'} scripts, back by ${way}: from the application to a token`, async () => {
      await open(locale, scripts, async (page) => {
        const from = arrived.length;
        await page.goto(request(origin, { prompt: 'login consent' }));
        const button = page.locator('#website');
        assert.match(
          (await button.textContent()) ?? '',
          locale === 'en-GB' ? /Sign in at localhost/ : /Bei localhost:\d+ anmelden/,
        );
        await button.click();
        await page.locator(way).click();
        assert.equal(await page.getAttribute('html', 'lang'), locale.slice(0, 2));
        assert.doesNotMatch(page.url(), /response=|eyJ/);
        await page.locator('#allow').click();
        await page.waitForURL(`${redirect_uri}?**`);
        assert.equal(await tokenFrom(page, origin), 'ada');
        const told = arrived.slice(from).filter(({ referer = '' }) => referer.startsWith(origin));
        assert.deepEqual(told, [], 'what the website learns of our addresses');
        assert.ok(arrived.length > from);
      });
    });
  }

  test('without passwords the browser goes there and back by itself, and a cancelled sign-in ends at the application', async () => {
    current.issuer = alone.origin;
    await open('en-GB', true, async (page) => {
      await page.goto(request(alone.origin));
      assert.ok(page.url().startsWith(`${website}/sign-in?request=`));
      await page.locator('#post').click();
      await page.locator('#allow').click();
      await page.waitForURL(`${redirect_uri}?**`);
      assert.equal(await tokenFrom(page, alone.origin), 'ada');
      await page.goto(request(alone.origin, { prompt: 'login' }));
      await page.locator('#cancel').click();
      await page.waitForURL(`${redirect_uri}?**error=access_denied**`);
    });
    current.issuer = origin;
  });

  test('the answer of an attacker, sent from another site, signs nobody in, and leaves who is signed in as they are', async () => {
    await open('en-GB', true, async (attacker) => {
      await attacker.goto(request(origin, { prompt: 'login' }));
      await attacker.locator('#website').click();
      planted.response = (await attacker.locator('input[name=response]').getAttribute('value')) ?? '';
      await open('en-GB', true, async (victim) => {
        const attack = `${website}/planted?to=${origin}/login/return`;
        await victim.goto(attack);
        await victim.locator('h1', { hasText: 'This sign-in cannot be completed' }).waitFor();
        await victim.goto(`${origin}/account`);
        assert.match(victim.url(), /\/login\?to=/);
        await victim.locator('#website').click();
        await victim.locator('#post').click();
        await victim.waitForURL(`${origin}/account`);
        await victim.goto(attack);
        await victim.locator('h1', { hasText: 'This sign-in cannot be completed' }).waitFor();
        await victim.goto(`${origin}/account`);
        assert.equal(victim.url(), `${origin}/account`);
      });
    });
  });

  test('the demo shows it on demand: the switch, the website of the demo, and back', async () => {
    for (const scripts of [true, false]) {
      await open('en-GB', scripts, async (page) => {
        await page.goto(`${demo.origin}/playground`);
        await page.locator('#start').click();
        assert.equal(await page.locator('#website').count(), 0);
        await page.goto(`${demo.origin}/playground`);
        await page.locator('#website-switch').click();
        await page.locator('#start').click();
        await page.locator('#website').click();
        await page.locator('button[value=demo-dora]').click();
        await page.locator('#allow').click();
        await page.waitForURL(`${demo.origin}/playground/flow`);
        assert.match((await page.locator('dl.facts').first().textContent()) ?? '', /Dora Marquez/);
      });
      await demo.database.query('update grants set revoked_at = now()');
    }
  });

  test('the website of the demo shows no form to a changed or old request', async () => {
    const at = `${demo.origin}/playground/website`;
    for (const query of ['', '?request=x', '?request=eyJhbGciOiJub25lIn0.e30.AA']) {
      const answer = await fetch(at + query);
      assert.equal(answer.status, 400);
      assert.ok(!(await answer.text()).includes('name="person"'));
    }
  });
});
