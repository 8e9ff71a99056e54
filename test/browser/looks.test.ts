// ci: every page in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator } from 'playwright-core';
import { launchBrowser, skip } from './chromium.ts';
import { fixtures } from './fixtures.ts';
import { openGallery } from './gallery.ts';

/** One page for each view. */
const views = fixtures.filter(({ view }, at) => fixtures.findIndex((other) => other.view === view) === at);

const middleOf = async (element: Locator) => {
  const { y = Number.NaN, height = Number.NaN } = (await element.boundingBox()) ?? {};
  return y + height / 2;
};

describe('how the pages look, in a real browser', { skip }, () => {
  let browser: Browser;
  let gallery: Awaited<ReturnType<typeof openGallery>>;

  before(async () => {
    gallery = await openGallery();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    gallery?.close();
  });

  for (const width of [320, 360, 1024]) {
    test(`the header of every page is one line, also without scripts, at ${width} px`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 640 }, javaScriptEnabled: false });
      const tall: string[] = [];
      for (const { name } of views) {
        await page.goto(`${gallery.origin}/${name}`);
        const { height = 0 } = (await page.locator('header').boundingBox()) ?? {};
        if (height === 0 || height > 60) tall.push(`${name}: ${height} px`);
      }
      await page.close();
      assert.deepEqual(tall, []);
    });
  }

  test('the menu of a phone opens without scripts, and has the places and the way out', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 640 }, javaScriptEnabled: false });
    await page.goto(`${gallery.origin}/account`);
    const links = page.locator('header .menu a');
    assert.equal(await links.first().isVisible(), false);
    await page.focus('header summary');
    await page.keyboard.press('Enter');
    for (const link of await links.all()) assert.equal(await link.isVisible(), true);
    assert.equal(await links.count(), 3);
    const { x = -1, width = 0 } = (await page.locator('header .menu > div').boundingBox()) ?? {};
    assert.ok(x >= 0 && x + width <= 360);
    assert.equal(await page.locator('header button').filter({ visible: true }).count(), 1);
    await page.close();
  });

  test('the password that removes a new second factor is asked only of whoever chooses to remove that factor, also without scripts', async () => {
    const page = await browser.newPage({ viewport: { width: 1024, height: 720 }, javaScriptEnabled: false });
    await page.goto(`${gallery.origin}/not-me`);
    const field = page.getByLabel('Current password', { exact: true });
    assert.equal(await field.isVisible(), true);
    await page.focus('#remove');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('#keep').isChecked(), true);
    assert.equal(await field.isVisible(), false);
    await page.close();
  });

  test('the button that shows a password stands in the middle of its field, on every page', async () => {
    const page = await browser.newPage({ viewport: { width: 1024, height: 720 } });
    let seen = 0;
    for (const { name } of views) {
      await page.goto(`${gallery.origin}/${name}`);
      for (const button of await page.locator('button[data-reveal]:visible').all()) {
        const field = page.locator(`[id="${await button.getAttribute('data-reveal')}"]`);
        const [inner = Number.NaN, outer = Number.NaN] = await Promise.all([button, field].map(middleOf));
        assert.ok(Math.abs(inner - outer) < 2, `${name}: ${inner} ${outer}`);
        seen += 1;
      }
    }
    await page.close();
    assert.ok(seen > 5, `${seen}`);
  });

  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [360, 640],
  ] as const) {
    test(`Allow and Deny are in view with five permissions, and stay there, at ${width}×${height}`, async () => {
      const page = await browser.newPage({ viewport: { width, height }, javaScriptEnabled: false });
      for (const { name } of fixtures.filter(({ view }) => view === 'consent')) {
        await page.goto(`${gallery.origin}/${name}`);
        // it takes no clicks at first
        await page
          .locator('#allow')
          .evaluate((button) => Promise.all(button.getAnimations().map(({ finished }) => finished)));
        for (const place of [0, 300, 10_000]) {
          await page.evaluate((top) => scrollTo(0, top), place);
          for (const id of ['allow', 'deny']) {
            const hit = await page.locator(`#${id}`).evaluate((button) => {
              const { left, top, width: wide, height: high } = button.getBoundingClientRect();
              const corners = [top + 4, top + high - 4].flatMap((y) => [left + 4, left + wide - 4].map((x) => [x, y]));
              return corners.every(([x = 0, y = 0]) => document.elementFromPoint(x, y) === button);
            });
            assert.ok(hit, `${name}: ${id} at ${place}`);
          }
        }
      }
      await page.close();
    });
  }

  test('on a phone, whoever sees Allow sees what can be refused, in every language', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
    for (const name of ['consent', 'consent-five', 'consent-local']) {
      for (const language of ['en', 'de', 'es', 'fr', 'zh']) {
        await page.goto(`${gallery.origin}/${name}?ui_locales=${language}`);
        const { bottom, bar, height } = await page.evaluate(() => {
          const label = document.querySelector('.permission label:has(input:not(:disabled))');
          const buttons = document.querySelector('.decide')?.getBoundingClientRect();
          const { bottom } = label?.querySelector('.sentence')?.getBoundingClientRect() ?? { bottom: Infinity };
          return { bottom, bar: buttons?.top ?? 0, height: buttons?.height ?? Infinity };
        });
        assert.ok(bottom <= bar, `${name}, ${language}: ${bottom} px, ${bar} px`);
        assert.ok(height <= 66, `the buttons cover ${height} px`);
      }
    }
    await page.close();
  });

  test('the sentence of a permission is one line beside or above its tags', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    for (const name of ['consent', 'consent-five', 'consent-more']) {
      await page.goto(`${gallery.origin}/${name}`);
      const lines = await page
        .locator('.permission .sentence')
        .evaluateAll((sentences) =>
          sentences.map((sentence) => sentence.getClientRects().length === 1 && sentence.clientHeight < 30),
        );
      assert.ok(lines.length > 1 && !lines.includes(false), `${name}: ${lines}`);
    }
    await page.close();
  });

  test('Sign in of the header is a target of 44 px', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(`${gallery.origin}/home`);
    const { height = 0 } = (await page.locator('.top .enter').boundingBox()) ?? {};
    assert.ok(height >= 44, `${height} px`);
    await page.close();
  });

  test('what is wrong with a code of an app is said at its field', async () => {
    const page = await browser.newPage();
    // where the code is typed anew, no summary of what is wrong comes first
    for (const [name, summary] of [
      ['second-step', []],
      ['factor-setup-wrong', ['#code']],
    ] as const) {
      await page.goto(`${gallery.origin}/${name}`);
      assert.equal(await page.getAttribute('#code', 'aria-describedby'), 'code-problem', name);
      assert.equal(await page.getAttribute('#code', 'aria-invalid'), 'true', name);
      assert.equal(await page.locator('.problem:not(#faults)').count(), 1, name);
      const links = await page.locator('#faults a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      assert.deepEqual(links, summary, name);
    }
    await page.close();
  });

  test('ways to sign in say how they stand, and their forms open without scripts, or with what is wrong in them', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${gallery.origin}/account-security`);
    assert.equal(await page.locator('.state').count(), 3);
    assert.equal(await page.isVisible('#old_password'), false);
    await page.click('summary:has-text("Change password")');
    assert.equal(await page.isVisible('#old_password'), true);
    await page.goto(`${gallery.origin}/account-security-problem`);
    assert.equal(await page.isVisible('#old_password-problem'), true);
    await page.close();
  });

  test('the profile asks for a proof when the address is edited; without scripts, and after a refusal, always', async () => {
    const page = await browser.newPage();
    await page.goto(`${gallery.origin}/account`);
    assert.equal(await page.isVisible('#current_password'), false);
    await page.fill('#name', 'Alice');
    assert.equal(await page.isVisible('#current_password'), false);
    await page.fill('#email', 'alice@example.org');
    assert.equal(await page.isVisible('#current_password'), true);
    assert.equal(await page.isVisible('#profile_code'), true);
    await page.fill('#email', 'alice@wonderland.example');
    assert.equal(await page.isVisible('#current_password'), false);
    await page.goto(`${gallery.origin}/account-new-address`);
    assert.equal(await page.isVisible('#current_password'), true);
    await page.close();
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(`${gallery.origin}/account`);
    assert.equal(await plain.isVisible('#current_password'), true);
    await plain.close();
  });

  test('on a phone, a link in a list of events is on one line', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(`${gallery.origin}/account-activity`);
    const lines = await page
      .locator('.not-me')
      .evaluateAll((links) => links.map((link) => link.getClientRects().length));
    assert.ok(lines.length > 0 && lines.every((count) => count === 1), `${lines}`);
    await page.close();
  });

  test('every part of an account, and every page below it, has the same menu, with the names of the header', async () => {
    const page = await browser.newPage();
    for (const name of [
      ...['account', 'account-delete', 'account-export', 'account-security', 'account-connect', 'account-sessions'],
      ...['applications', 'application', 'passkey', 'passkey-new', 'password-set', 'password-remove'],
    ]) {
      await page.goto(`${gallery.origin}/${name}`);
      const menu = await page.locator('.parts > nav a').allTextContents();
      assert.equal(menu.length, 5, name);
      assert.equal(menu[2], await page.textContent('header .inline a[href$="/account/applications"]'), name);
      assert.equal(await page.locator('.parts > nav a[aria-current]').count(), 1, name);
      assert.equal(await page.locator('header .inline a[aria-current]').count(), 1, name);
    }
    await page.close();
  });

  test('the mark of an application that nobody vouches for is a letter of the name that its owner registered; an app on the device has none', async () => {
    const page = await browser.newPage();
    const marks: string[][] = [];
    for (const name of ['consent-unknown', 'consent-document', 'consent-local']) {
      await page.goto(`${gallery.origin}/${name}`);
      marks.push(await page.locator('.mark').allTextContents());
    }
    assert.deepEqual(marks, [['E'], [], []]);
    await page.close();
  });

  test('on a phone, no claim of an application about its site is cut off', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
    for (const name of ['applications-unvouched', 'application-unvouched', 'developer-applications']) {
      await page.goto(`${gallery.origin}/${name}?ui_locales=de`);
      const cut = await page
        .locator('p:has-text("Gibt an,")')
        .evaluateAll((claims) => claims.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
      assert.ok(cut.length > 0 && !cut.includes(true), name);
    }
    await page.close();
  });

  test('Tab reaches every box of the consent page, and nothing unticks a required one', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.newPage({ viewport: { width: 360, height: 640 }, javaScriptEnabled });
      await page.goto(`${gallery.origin}/consent-five`);
      await page.focus('header summary');
      const reached: string[] = [];
      for (let step = 0; step < 5; step += 1) {
        await page.keyboard.press('Tab');
        const focused = page.locator(':focus');
        reached.push(`${await focused.getAttribute('role')} ${await focused.getAttribute('value')}`);
        // the page may still be scrolling
        const isInView = () =>
          focused.evaluate((box) => {
            const { top, bottom } = box.getBoundingClientRect();
            return top >= 0 && bottom <= (document.querySelector('.decide')?.getBoundingClientRect().top ?? 0);
          });
        for (let tries = 0; tries < 40 && !(await isInView()); tries += 1) await page.waitForTimeout(50);
        assert.ok(await isInView(), 'the focused box is not behind the buttons');
        if (step === 0) {
          // neither Space nor Enter does anything there, nor does Space scroll the page as it does on a text
          const place = await page.evaluate(() => scrollY);
          await page.keyboard.press('Space');
          await page.keyboard.press('Enter');
          await page.waitForTimeout(300);
          assert.equal(await page.evaluate(() => scrollY), place);
          assert.match(page.url(), /consent-five$/);
        }
      }
      assert.deepEqual(reached, [
        'checkbox null',
        'null user:email',
        'null user:write',
        'null repo:read',
        'null repo:write',
      ]);
      assert.equal(await page.isChecked('input[value="user:name"][type=checkbox]'), true);
      assert.equal(
        await page.locator('.locked').ariaSnapshot(),
        '- checkbox "See your name and username" [checked] [disabled]',
      );
      await page.close();
    }
  });

  test('the security of an application shows only the fields of the choice made, without scripts', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${gallery.origin}/developer-security-secret`);
    const shown = () => Promise.all(['#jwks', '#tls_client_auth_subject_dn'].map((field) => page.isVisible(field)));
    assert.deepEqual(await shown(), [false, false]);
    await page.check('[value="private_key_jwt"]');
    assert.deepEqual(await shown(), [true, false]);
    await page.check('[value="tls_client_auth"]');
    assert.deepEqual(await shown(), [false, true]);
    await page.check('[name="require_signed_request_object"]');
    assert.deepEqual(await shown(), [true, true]);
    await page.goto(`${gallery.origin}/developer-security-refused`);
    assert.equal(await page.isVisible('#jwks'), true, 'with what is wrong with it');
    await page.goto(`${gallery.origin}/developer-security`);
    assert.equal(await page.isVisible('#jwks'), false, 'keys that are registered are folded');
    await page.click('summary >> text=Public keys');
    assert.equal(await page.isVisible('#jwks'), true);
    await page.close();
  });

  for (const width of [360, 1280]) {
    test(`brand, navigation and content begin at one edge, at ${width} px`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 720 } });
      for (const { name } of views) {
        await page.goto(`${gallery.origin}/${name}`);
        const left = (selector: string) =>
          page
            .locator(selector)
            .first()
            .evaluate((element) => element.getBoundingClientRect().left);
        // a page with nothing to say there has no footer
        const parts = (await page.locator('footer').count()) > 0 ? ['main', 'footer'] : ['main'];
        const brand = Math.round(await left('.brand'));
        for (const part of parts) assert.equal(Math.round(await left(part)), brand, `${name}: ${part}`);
      }
      await page.close();
    });
  }
});
