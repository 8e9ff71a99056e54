// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { authorizationQuery } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { launchBrowser, skip } from './chromium.ts';

/** What the application received, by POST to its redirection URI. */
interface Received {
  fields: Record<string, string>;
  headers: IncomingHttpHeaders;
}

describe('response_mode=form_post in a real browser', { skip }, async () => {
  const { origin: address, database } = await startLatchkey();
  const origin = address.replace('127.0.0.1', 'localhost');
  const received: Received[] = [];
  const application = createServer(async (req, res) => {
    if (req.url === '/frame') return void res.end(`<iframe src="${request({ prompt: 'none' })}"></iframe>`);
    const body = (await req.toArray()).join('');
    if (req.method === 'POST') {
      received.push({ fields: Object.fromEntries(new URLSearchParams(body)), headers: req.headers });
      if (req.url === '/nothing') return void res.writeHead(204).end();
      res.writeHead(303, { Location: '/home' }).end();
      return;
    }
    res.setHeader('Content-Type', 'text/html').end(`<title>${req.url}</title>`);
  }).listen(0, '127.0.0.1');
  await once(application, 'listening');
  const site = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
  const redirect_uri = `${site}/callback`;
  const request = (changes = {}) =>
    `${origin}/authorize?${authorizationQuery({ client_id: 'near', redirect_uri, response_mode: 'form_post', ...changes })}`;
  let browser: Browser;

  before(async () => {
    await registerPeople(database);
    await registerPrinter(database, {
      client_id: 'near',
      site_domain: 'localhost',
      redirect_uris: [redirect_uri, `${site}/nothing`],
    });
    browser = await launchBrowser({ hasPageCache: true });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    received.length = 0;
  });
  after(async () => {
    await browser?.close();
    application.close().closeAllConnections();
  });

  async function signedIn(javaScriptEnabled = true): Promise<Page> {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await page.goto(`${origin}/login`);
    await page.fill('#username', 'alice');
    await page.fill('#password', password);
    await page.click('#login');
    await page.waitForURL(`${origin}/`);
    return page;
  }

  /** Runs a script in the page that is shown, which may come from the cache. */
  async function scripts(page: Page): Promise<(expression: string) => Promise<unknown>> {
    const session = await page.context().newCDPSession(page);
    return async (expression) => (await session.send('Runtime.evaluate', { expression })).result.value;
  }

  /** Leaves the page after it has answered. */
  const leaving = (move: string) => `void setTimeout(() => ${move})`;

  async function allow(page: Page): Promise<void> {
    await page.goto(request({ prompt: 'consent' }));
    await page.waitForTimeout(700);
    await page.click('#allow');
  }

  test('the answer arrives by itself, from our origin, without a path in the Referer and without our cookies [A370]', async () => {
    const page = await signedIn();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await allow(page);
    await page.waitForURL(`${site}/home`);
    assert.deepEqual(complaints, []);
    assert.equal(received.length, 1);
    const [{ fields, headers }] = received as [Received];
    assert.deepEqual([fields['state'], fields['iss']], ['the-state', address]);
    assert.match(fields['code'] ?? '', /^lk_ac_/);
    assert.deepEqual([headers.origin, headers.referer, headers.cookie], [origin, `${origin}/`, undefined]);
  });

  test('Back and reload never post a code twice, whether the page comes from the cache or from the server [A370]', async () => {
    const page = await signedIn();
    await allow(page);
    await page.waitForURL(`${site}/home`);
    // not by Playwright's goBack, which waits for a page of the cache to load
    const run = await scripts(page);
    const [atConsent, atHome] = ['document.querySelector("#allow") !== null', `location.href === "${site}/home"`];
    const isReloaded = `performance.getEntriesByType("navigation")[0].type === "reload" && ${atConsent}`;
    for (const [move, isThere] of [
      ['history.back()', atConsent],
      ['history.forward()', atHome],
      ['history.back()', atConsent],
      ['location.reload()', isReloaded],
    ] as const) {
      await run(leaving(move));
      // a page that is being left gives no answer
      while ((await run(isThere).catch(() => false)) !== true) await page.waitForTimeout(50);
    }
    await page.goto(request());
    await page.waitForURL(`${site}/home`);
    await run(leaving('history.back()'));
    await page.waitForTimeout(500);
    const codes = received.map(({ fields }) => fields['code']);
    assert.ok(codes.length >= 2);
    assert.equal(new Set(codes).size, codes.length, 'each code once');
  });

  test('where the application answers nothing, the page stays, and its form is gone [A370]', async () => {
    const page = await signedIn();
    await page.goto(request({ redirect_uri: `${site}/nothing` }), { waitUntil: 'commit' });
    await page.waitForSelector('#sent');
    while (received.length === 0) await page.waitForTimeout(20);
    assert.equal(received.length, 1);
    assert.equal(await page.locator('main form, main a').count(), 0);
  });

  test('without scripts a button sends the answer [A370]', async () => {
    const page = await signedIn(false);
    await page.goto(request());
    assert.equal(received.length, 0);
    assert.equal(await page.locator('#sent').isVisible(), false);
    await page.click('#continue');
    await page.waitForURL(`${site}/home`);
    assert.match(received[0]?.fields['code'] ?? '', /^lk_ac_/);
  });

  test('a hidden frame with prompt=none posts nothing [A370]', async () => {
    const page = await signedIn();
    await page.goto(`${site}/frame`);
    await page.waitForTimeout(500);
    assert.deepEqual(received, []);
  });
});
