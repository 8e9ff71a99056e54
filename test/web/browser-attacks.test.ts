import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, skip } from '../browser/chromium.ts';
import { type OtherOrigins, openOtherOrigins } from '../browser/other-origins.ts';
import { authorizationQuery } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

describe('attacks in a real browser', { skip }, async () => {
  // by another name than the attacker's page: cookies do not tell ports apart, but names
  const { origin: address, database } = await startLatchkey();
  const origin = address.replace('127.0.0.1', 'localhost');
  let browser: Browser;
  let otherOrigins: OtherOrigins;

  before(async () => {
    otherOrigins = await openOtherOrigins();
    await registerPeople(database);
    await registerPrinter(database, {
      client_id: 'near',
      site_domain: 'localhost',
      redirect_uris: [otherOrigins.redirect_uri],
    });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    otherOrigins?.close();
  });

  const request = (changes = {}) =>
    `${origin}/authorize?${authorizationQuery({ client_id: 'near', redirect_uri: otherOrigins.redirect_uri, ...changes })}`;

  async function signedIn(): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${origin}/login`);
    await page.fill('#username', 'alice');
    await page.fill('#password', password);
    await page.click('#login');
    await page.waitForURL(`${origin}/`);
    return page;
  }

  const sessionOf = async (page: Page) =>
    (await page.context().cookies(origin)).find(({ name }) => name === 'session')?.value;

  /** The attacker's page, with a form that sends itself. */
  async function lure(page: Page, action: string, fields: Record<string, string>): Promise<number> {
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
    otherOrigins.show(`<form method="post" action="${action}">${inputs.join('')}<button id="go">Win</button></form>`);
    await page.goto(`${otherOrigins.third}/shown`);
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.url().startsWith(origin)),
      page.click('#go'),
    ]);
    return answer.status();
  }

  test('a form on another site cannot sign a user in or out, nor give consent [A122] [A154] [A157]', async () => {
    const stranger = await (await browser.newContext()).newPage();
    assert.equal(await lure(stranger, `${origin}/login`, { username: 'alice', password, csrf: 'x' }), 403);
    assert.equal(await sessionOf(stranger), undefined);
    const alice = await signedIn();
    const session = await sessionOf(alice);
    assert.equal(await lure(alice, `${origin}/logout`, { csrf: 'x' }), 403);
    const consent = request().replace('/authorize', '/consent');
    await lure(alice, consent, { decision: 'allow', scope: 'user:name', csrf: 'x', ticket: 'x'.repeat(44) });
    assert.equal((await database.query('select from grants')).rows.length, 0);
    assert.equal(await sessionOf(alice), session);
    await alice.goto(`${origin}/login`);
    assert.equal(alice.url(), `${origin}/`);
  });

  test('a cross-site post to /authorize leads to the same request as a link would, and leaves the session unchanged [A98] [A124]', async () => {
    const alice = await signedIn();
    const session = await sessionOf(alice);
    const { origin: host, pathname, searchParams } = new URL(request());
    assert.equal(await lure(alice, host + pathname, Object.fromEntries(searchParams)), 302);
    assert.equal(await sessionOf(alice), session);
  });

  test('an image with the sign-out address does not sign out [A154]', async () => {
    const alice = await signedIn();
    otherOrigins.show(`<img src="${origin}/logout"><iframe src="${origin}/logout"></iframe>`);
    await alice.goto(`${otherOrigins.third}/shown`, { waitUntil: 'load' });
    await alice.goto(`${origin}/login`);
    assert.equal(alice.url(), `${origin}/`);
  });

  test('the browser sends no Referer with our addresses to the application or to linked sites [A103]', async () => {
    const alice = await signedIn();
    const referrers: (string | undefined)[] = [];
    alice.on('request', (one) => {
      if (!one.url().startsWith(origin)) referrers.push(one.headers()['referer']);
    });
    await alice.goto(request({ prompt: 'consent' }));
    await Promise.all([alice.waitForURL(`${otherOrigins.third}/**`), alice.click('#allow')]);
    assert.ok(referrers.length >= 2);
    for (const referrer of referrers) assert.ok(referrer === undefined || !referrer.startsWith(origin), referrer);
  });

  test('a hostile application name runs and loads nothing on any page [A164]', async () => {
    const name = '"><img src=x onerror="document.title=1"><script>document.title=1</script>';
    await registerPrinter(database, {
      client_id: 'evil',
      name,
      site_domain: 'localhost',
      redirect_uris: [otherOrigins.redirect_uri],
    });
    const alice = await signedIn();
    const loaded: string[] = [];
    alice.on('request', (one) => loaded.push(one.url()));
    await alice.goto(request({ client_id: 'evil' }));
    assert.match(await alice.title(), /img src=x/);
    assert.equal(await alice.locator('main script, main img').count(), 0);
    assert.deepEqual(
      loaded.filter((url) => !url.startsWith(`${origin}/assets/`) && !url.startsWith(`${origin}/authorize`)),
      [],
    );
  });
});
