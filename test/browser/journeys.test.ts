// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { registerPlayground } from '../../src/playground/demo-client.ts';
import { authorizationQuery } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { refusalStored } from '../support/refusals.ts';
import { launchBrowser, skip } from './chromium.ts';
import { type OtherOrigins, openOtherOrigins } from './other-origins.ts';

describe('journeys in a real browser', { skip, concurrency: 3 }, async () => {
  const { origin, database, deps } = await startLatchkey({ DEMO: 'true', REGISTRATION: 'open' });
  let browser: Browser;
  let otherOrigins: OtherOrigins;

  before(async () => {
    otherOrigins = await openOtherOrigins();
    await registerPlayground(deps);
    await registerPeople(database, [
      'on',
      'off',
      'on-leaving',
      'off-leaving',
      'on-bound',
      'off-bound',
      'keys',
      'again',
      'hopper',
      'framed',
    ]);
    await registerPrinter(database, {
      client_id: 'hopper',
      name: 'Hopper',
      site_domain: 'localhost',
      redirect_uris: [otherOrigins.redirect_uri],
      required_scopes: ['user:name'],
    });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    otherOrigins?.close();
  });

  /** A browser of its own that writes down where it goes and what it complains about. */
  async function open(scripts: boolean, work: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ javaScriptEnabled: scripts, locale: 'en-GB' });
    const page = await context.newPage();
    const [origins, complaints] = [new Set<string>(), [] as string[]];
    context.on('request', (request) => origins.add(new URL(request.url()).origin));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await work(page, context);
    await context.close();
    const known = [origin, new URL(otherOrigins.redirect_uri).origin, otherOrigins.third];
    assert.deepEqual(
      [...origins].filter((each) => !known.includes(each)),
      [],
    );
    assert.deepEqual(complaints, []);
  }

  /** Where a click leads to another page, all of that has arrived; by itself Playwright waits for the first bytes only. */
  async function click(page: Page, selector: string): Promise<void> {
    await page.click(selector);
    await page.waitForLoadState();
  }

  async function signIn(page: Page, username: string): Promise<void> {
    await page.fill('#username', username);
    await page.fill('#password', password);
    await click(page, '#login');
  }

  const hopper = (changes: Record<string, string> = {}) =>
    `${origin}/authorize?${authorizationQuery({ client_id: 'hopper', redirect_uri: otherOrigins.redirect_uri, ...changes })}`;
  const text = async (page: Page) => ((await page.textContent('main')) ?? '').replaceAll(/\s+/g, ' ');

  for (const [scripts, username] of [
    [true, 'on'],
    [false, 'off'],
  ] as const) {
    describe(scripts ? 'with scripts' : 'without scripts', { concurrency: 1 }, () => {
      test('signs in, unticks e-mail, allows, and the application receives a profile without e-mail', () =>
        open(scripts, async (page) => {
          await page.goto(`${origin}/playground`);
          await click(page, '#start');
          await page.fill('#username', username);
          await page.fill('#password', 'wrong');
          await click(page, '#login');
          assert.match(await text(page), /username, email address or password is incorrect/);
          assert.equal(await page.inputValue('#username'), username);
          await signIn(page, username);
          await page.uncheck('input[value="user:email"]');
          await click(page, '#allow');
          const profile = (await page.textContent('[aria-labelledby="received"]')) ?? '';
          assert.match(profile, new RegExp(`${username} Liddell`));
          assert.doesNotMatch(profile, /@example\.com/);
          await click(page, 'button[value="access_token"], button[name="break"] >> nth=0');
          assert.match(page.url(), /\/playground\/tried$/);
        }));

      test('runs the playground with a pushed request and a bound token, and fails to steal it', () =>
        open(scripts, async (page) => {
          await page.goto(`${origin}/playground`);
          await click(page, 'text=Pushed request and bound token');
          await click(page, '#start');
          await page.fill('#username', `${username}-bound`);
          await page.fill('#password', password);
          await click(page, '#login');
          assert.match(page.url(), /request_uri=/);
          await click(page, '#allow');
          const introspected = (await page.textContent('th:text-is("cnf") + td > code')) ?? '';
          const { jkt } = JSON.parse(introspected);
          assert.deepEqual(await page.locator('th:text-is("thumbprint") + td > code').allTextContents(), [jkt, jkt]);
          for (const theft of ['stolen_bearer', 'stolen_replayed', 'stolen_other_key']) {
            await click(page, `button[value="${theft}"]`);
            assert.match((await page.textContent(`li[id^="${theft}"]`)) ?? '', /Response\s*401/);
            assert.match(
              (await page.textContent(`[role="status"]:has([href^="#${theft}"])`)) ?? '',
              /Refused, as it should/,
            );
          }
        }));

      test('finds the application in the account, switches a permission, and revokes it', () =>
        open(scripts, async (page) => {
          await page.goto(`${origin}/account/applications/playground`);
          await signIn(page, username);
          assert.equal(await page.isChecked('input[value="user:email"]'), false);
          await page.check('input[value="user:email"]');
          await page.uncheck('input[value="repo:write"]');
          await click(page, 'main .primary');
          assert.match(await text(page), /Permissions saved/);
          assert.equal(await page.isChecked('input[value="user:email"]'), true);
          assert.equal(await page.isChecked('input[value="repo:write"]'), false);
          await click(page, 'nav >> text=Connected applications');
          await click(page, 'button.revoke');
          assert.match(
            await text(page),
            /Playground no longer has access to your account.*No application has access to your account/,
          );
        }));

      test('changes profile and password, ends the other session, signs out', () =>
        open(scripts, async (page) => {
          const other = await browser.newContext();
          const elsewhere = await other.newPage();
          for (const one of [page, elsewhere]) {
            await one.goto(`${origin}/account`);
            await signIn(one, username);
          }
          await page.fill('#email', `${username}@example.org`);
          await page.fill('#current_password', password);
          await click(page, 'main .primary');
          assert.match(await text(page), /Saved\. The new address takes effect as soon as you open the link/);
          await page.goto(`${origin}/account/sessions`);
          await click(page, 'button[name="session"]');
          assert.match(await text(page), /Session ended\./);
          await elsewhere.reload();
          assert.equal(await elsewhere.locator('#login').count(), 1);
          await other.close();
          await page.goto(`${origin}/account/security`);
          await page.click('summary:has-text("Change password")');
          for (const [id, value] of [
            ['old_password', password],
            ['new_password', 'through the looking-glass'],
            ['repeat_password', 'through the looking-glass'],
          ] as const) {
            await page.fill(`#${id}`, value);
          }
          await click(page, 'section[aria-labelledby="password"] .primary');
          assert.match(await text(page), /Password changed\. All your other/);
          await click(page, 'header button');
          assert.match(await text(page), /You are signed out/);
          await page.goBack();
          await page.goto(`${origin}/account`);
          assert.equal(await page.locator('#login').count(), 1);
        }));

      test('registers an application, rotates its secret, changes, disables and deletes it', () =>
        open(scripts, async (page) => {
          await database.query(
            'update users set password_bcrypt = (select password_bcrypt from users where username = $1) where username = $2',
            ['keys', username],
          );
          await page.goto(`${origin}/developer/applications`);
          await signIn(page, username);
          await click(page, 'text=Register an application');
          // each kind fills the form in, also without scripts
          await click(page, '.presets >> text=MCP client');
          assert.equal(await page.isChecked('#public'), true);
          assert.match(await page.inputValue('#redirect_uris'), /^http:\/\/127\.0\.0\.1\/callback\n/);
          await click(page, '.presets >> text=Web application');
          assert.equal(await page.isChecked('#confidential'), true);
          assert.match(await text(page), /Runs on your server.*For example: https:\/\/app\.example\.com\/callback/);
          await page.fill('#name', 'Post Cards');
          await page.fill('#site_domain', 'cards.example');
          await page.fill('#redirect_uris', 'https://evil.example/');
          await page.check('[name="use:user:name"][value="required"]');
          await click(page, 'main .primary');
          assert.match(await text(page), /https:\/\/evil\.example\/ is not on cards\.example/);
          assert.match(await page.title(), /^Error: /);
          await page.waitForSelector('#faults:focus');
          assert.match((await page.textContent('.presets [aria-current]')) ?? '', /^Web application /);
          await page.click('#faults a');
          assert.equal(await page.evaluate('document.activeElement.id'), 'redirect_uris');
          await page.fill('#redirect_uris', 'https://cards.example/callback');
          await click(page, 'main .primary');
          const secret = (await page.textContent('#client-secret')) ?? '';
          assert.match(secret, /^lk_cs_[\w-]{49}$/);
          await click(page, 'main .primary');
          assert.match(await text(page), /Connect.*Ready-made programs/);
          await click(page, 'main nav >> text=Credentials');
          const client_id = (await page.textContent('#client-id')) ?? '';
          await click(page, 'text=Add a client secret');
          assert.notEqual(await page.textContent('#client-secret'), secret);
          await click(page, 'main .primary');
          await click(page, 'main .index a >> nth=1');
          assert.match(await text(page), /Delete the secret .*Never used/);
          await click(page, '#delete');
          assert.match(await text(page), /Client secret deleted/);
          await click(page, 'main nav >> text=Activity');
          await page.fill('#token', secret);
          await click(page, 'section[aria-labelledby="token-history"] button');
          assert.match(await text(page), /This is a client secret, not a code or token/);
          const refused = await page.goto(
            `${origin}/authorize?${authorizationQuery({ client_id, redirect_uri: 'https://cards.example/Callback' })}`,
          );
          assert.deepEqual(await page.locator('mark').allTextContents(), ['C', 'c']);
          await refusalStored(database, refused?.headers()['x-request-id'] ?? '-');
          await page.goto(`${origin}/developer/applications/${client_id}/activity`);
          assert.match(await text(page), /Recent refusals.*Callback/);
          await click(page, 'main nav >> text=Registration');
          await page.fill('#name', 'Better Cards');
          await click(page, 'text=Save changes');
          assert.match(await text(page), /Changes saved/);
          await click(page, 'main nav >> text=Overview');
          assert.equal(await page.isVisible('.risks form'), false, 'a second step asks first');
          await page.click('.risks summary >> nth=0');
          await click(page, '.risks form >> nth=0 >> button');
          assert.match(await text(page), /Application disabled/);
          await click(page, '.risks form >> nth=0 >> button');
          assert.match(await text(page), /Application enabled/);
          await page.click('.risks summary >> nth=-1');
          await page.fill('#confirm', 'Better Cards');
          await click(page, 'text=Delete permanently');
          assert.match(await text(page), /Application deleted/);
        }));

      test('deletes the account: reads what is lost, mistypes the password, and cannot sign in any more', () =>
        open(scripts, async (page) => {
          await page.goto(`${origin}/account`);
          await signIn(page, `${username}-leaving`);
          await click(page, 'main >> text=Delete account >> nth=1');
          assert.match(await text(page), /cannot be undone/);
          await page.fill('#password', 'wrong');
          await click(page, 'main button.danger');
          assert.match(await text(page), /current password is incorrect/);
          await page.fill('#password', password);
          await click(page, 'main button.danger');
          assert.match(await text(page), /Your account has been deleted/);
          await page.goto(`${origin}/account`);
          await signIn(page, `${username}-leaving`);
          assert.match(await text(page), /username, email address or password is incorrect/);
        }));

      test('the post of the consent form may be redirected to a third origin, for Allow and Deny alike', () =>
        open(scripts, async (page) => {
          await page.goto(hopper({ prompt: 'consent' }));
          await signIn(page, username);
          assert.equal(await page.isDisabled('input[type="checkbox"][value="user:name"]'), true);
          await click(page, '#allow');
          await page.waitForSelector('#arrived');
          const arrived = new URL(page.url());
          assert.equal(arrived.origin, otherOrigins.third);
          assert.match(arrived.searchParams.get('code') ?? '', /^lk_ac_/);
          await page.goto(hopper({ prompt: 'consent' }));
          await click(page, '#deny');
          await page.waitForSelector('#arrived');
          assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
          // with a remembered grant it is the post of the sign-in that leaves
          await page.goto(`${origin}/`);
          await click(page, 'header button');
          await page.goto(hopper());
          await signIn(page, username);
          await page.waitForSelector('#arrived');
          assert.match(page.url(), /code=lk_ac_/);
        }));
    });
  }

  test('prompt=login shows the password page to a signed-in user, then the consent page, and Allow leaves for the application', () =>
    open(true, async (page) => {
      await page.goto(`${origin}/account`);
      await signIn(page, 'again');
      await page.goto(hopper({ prompt: 'login' }));
      assert.equal(await page.inputValue('#username'), 'again');
      assert.match(await text(page), /requires you to sign in again/);
      await page.fill('#password', password);
      await click(page, '#login');
      await click(page, '#allow');
      await page.waitForSelector('#arrived');
      assert.match(page.url(), /code=lk_ac_/);
      await page.goto(hopper({ prompt: 'select_account' }));
      await click(page, '#continue');
      await page.waitForSelector('#arrived');
      assert.match(page.url(), /code=lk_ac_/);
    }));

  test('the flow works with the keyboard alone: sign in, untick, allow', () =>
    open(true, async (page) => {
      const press = (key: string) => page.keyboard.press(key);
      const focused = () =>
        page.evaluate(() => document.activeElement?.getAttribute('value') ?? document.activeElement?.id);
      await page.goto(hopper({ scope: 'user', prompt: 'consent' }));
      await page.waitForSelector('#username:focus');
      await page.keyboard.type('keys');
      await press('Tab');
      await page.keyboard.type(password);
      await press('Enter');
      await page.waitForSelector('#allow');
      await page.waitForLoadState();
      for (let steps = 0; steps < 20 && (await focused()) !== 'user:email'; steps += 1) await press('Tab');
      await press('Space');
      assert.equal(await page.isChecked('input[value="user:email"]'), false);
      for (let steps = 0; steps < 20 && (await focused()) !== 'allow'; steps += 1) await press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.matches(':focus-visible')), true);
      await Promise.all([page.waitForSelector('#arrived'), press('Enter')]);
      const { rows } = await database.query(
        'select scopes from grants join users using (user_id) where username = $1',
        ['keys'],
      );
      assert.deepEqual(rows[0].scopes, ['user:name']);
    }));

  test('no other site can frame a page or post our forms', () =>
    open(true, async (page) => {
      await page.goto(`${origin}/account`);
      await signIn(page, 'framed');
      const fields = ['name', 'email'].map((name) => `<input name="${name}" value="mallory@evil.example">`).join('');
      otherOrigins.show(
        `<iframe src="${origin}/account"></iframe>
         <form method="post" action="${origin}/account">${fields}<button>Win</button></form>`,
      );
      page.removeAllListeners('console');
      const complaint = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
      await page.goto(`${otherOrigins.third}/shown`);
      await complaint;
      const [, frame] = page.frames();
      assert.equal(await frame?.locator('#name').count(), 0);
      await click(page, 'text=Win');
      assert.match(await text(page), /This form was submitted from another website/);
      const { rows } = await database.query("select name from users where username = 'framed'");
      assert.equal(rows[0].name, 'framed Liddell');
    }));

  test('every link on the home page, the error pages and the language menu works', () =>
    open(true, async (page) => {
      await page.goto(`${origin}/login?to=/account`);
      await signIn(page, 'framed');
      const seen = new Set<string>();
      const waiting = [`${origin}/`, `${origin}/account`, `${origin}/errors/invalid_request`, `${origin}/logout`];
      for (let next = waiting.pop(); next !== undefined && seen.size < 25; next = waiting.pop()) {
        if (seen.has(next)) continue;
        seen.add(next);
        const answer = await page.request.get(next);
        const hrefs = [...(await answer.text()).matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(
          ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), answer.url()).href,
        );
        assert.equal(answer.status(), 200, next);
        waiting.push(...hrefs.map((href) => href.replace(/#.*/, '')).filter((href) => href.startsWith(origin)));
      }
    }));
});
