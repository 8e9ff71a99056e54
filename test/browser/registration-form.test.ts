// ci: every page in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, skip } from './chromium.ts';
import { openGallery } from './gallery.ts';

/** The form of a new application, refused, and the same form of an application that exists. */
const forms = ['developer-application-new', 'developer-application-registration'];

describe('the form of a registration, in a real browser', { skip }, () => {
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

  async function open(name: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${gallery.origin}/${name}`);
    return page;
  }

  test('a reason is asked for where its permission is requested, and is not lost while it is hidden, without scripts', async () => {
    for (const name of forms) {
      const page = await open(name, { javaScriptEnabled: false });
      const shown = () =>
        Promise.all(
          ['user:name', 'user:email', 'repo:read'].map((scope) => page.isVisible(`[name="reason:${scope}"]`)),
        );
      assert.deepEqual(await shown(), [true, true, false], name);
      await page.check('[name="use:user:name"][value="no"]');
      await page.check('[name="use:repo:read"][value="optional"]');
      assert.deepEqual(await shown(), [false, true, true], name);
      await page.check('[name="use:user:name"][value="required"]');
      assert.equal(await page.inputValue('[name="reason:user:name"]'), 'We print your name on the parcel.');
      await page.close();
    }
  });

  test('what a reason is for is said before the first permission', async () => {
    const page = await open('developer-application-new');
    const isBefore = await page.locator('#reason-hint').evaluate((hint) => {
      const first = document.querySelector('.use');
      return first !== null && (hint.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    });
    assert.ok(isBefore);
    await page.close();
  });

  test('the keyboard chooses the use of a permission, sees the focus, and then reaches the reason', async () => {
    const page = await open('developer-application-new', { javaScriptEnabled: false });
    await page.focus('[name="use:repo:read"]:checked');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.isChecked('[name="use:repo:read"][value="optional"]'), true);
    assert.equal(await page.locator(':focus').evaluate((box) => getComputedStyle(box).outlineStyle), 'solid');
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').getAttribute('name'), 'reason:repo:read');
    await page.close();
  });

  test('the three uses of a permission stand side by side and in view, and no reason is cut off, at 390 px, in every language', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    for (const language of ['en', 'de', 'es', 'fr', 'zh']) {
      for (const name of forms) {
        await page.goto(`${gallery.origin}/${name}?ui_locales=${language}`);
        const rows = await page.locator('.use .choices').evaluateAll((all) =>
          all.map((choices) => {
            const boxes = [...choices.children].map((choice) => choice.getBoundingClientRect());
            return [boxes.length, new Set(boxes.map(({ top }) => top)).size, (boxes.at(-1)?.right ?? 999) <= 375];
          }),
        );
        assert.deepEqual(
          rows,
          [1, 2, 3].map(() => [3, 1, true]),
          `${name}, ${language}`,
        );
        const cut = await page
          .locator('.use-reason textarea:visible')
          .evaluateAll((all) => all.map(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight));
        assert.deepEqual(cut, [false, false], `${name}, ${language}`);
      }
    }
    await page.close();
  });

  test('the logo and the links are a group in a frame, which says once that they are optional', async () => {
    for (const name of forms) {
      const page = await open(name);
      const text = (await page.textContent('#links')) ?? '';
      assert.equal(text.match(/\(optional\)/g)?.length, 1, name);
      const insets = await page.locator('#links').evaluate((group) => {
        const { left, right } = group.getBoundingClientRect();
        return [...group.querySelectorAll('input')].flatMap((input) => {
          const box = input.getBoundingClientRect();
          return [box.left - left, right - box.right];
        });
      });
      assert.equal(insets.length, 8);
      assert.ok(
        insets.every((inset) => inset >= 8),
        `${name}: ${insets}`,
      );
      assert.equal(await page.locator('#links').evaluate((group) => getComputedStyle(group).borderTopStyle), 'solid');
      assert.equal(await page.locator('#links [required]').count(), 0);
      await page.close();
    }
  });

  test('what is wrong is said below the heading and above the form, in the only box there, and has the focus', async () => {
    for (const name of ['developer-application-new', 'developer-security-refused', 'developer-document']) {
      const page = await open(name);
      const order = await page
        .locator('main :is(h1, #faults, .notice, form)')
        .evaluateAll((all) => all.map(({ id, localName }) => id || localName));
      assert.deepEqual(order.slice(0, 3), ['h1', 'faults', 'form'], name);
      assert.equal(await page.locator(':focus').getAttribute('id'), 'faults', name);
      await page.close();
    }
  });

  test('each kind of application says whether it has a client secret, and the chosen one its example', async () => {
    const page = await open('developer-application-new');
    const kinds = await page.locator('.presets li').allInnerTexts();
    assert.deepEqual(
      kinds.map((kind) => kind.split('\n').at(-1)),
      ['Client secret', 'No client secret', 'No client secret', 'Client secret', 'No client secret'],
    );
    const described = (await page.getAttribute('#redirect_uris', 'aria-describedby')) ?? '';
    assert.ok(described.split(' ').includes('redirect_uris-example'), described);
    assert.match((await page.textContent('#redirect_uris-example')) ?? '', /https:\/\/app\.example\.com\/callback/);
    await page.close();
  });

  test('the button that registers is within two windows of 900 px, with what is wrong in the form', async () => {
    const page = await open('developer-application-new', { viewport: { width: 1440, height: 900 } });
    await page.locator('#links').evaluate((group) => group.removeAttribute('open'));
    const bottom = await page.locator('main .primary').evaluate((button) => button.getBoundingClientRect().bottom);
    assert.ok(bottom <= 1800, `${bottom} px`);
    await page.close();
  });

  test('at a connected application, the lock of a required permission is not taller than a box', async () => {
    const page = await open('application', { viewport: { width: 1000, height: 800 } });
    const heights = await page
      .locator('.permission label > :first-child')
      .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().height));
    assert.equal(heights.length, 3);
    assert.equal(new Set(heights).size, 1, `${heights}`);
    await page.close();
  });
});
