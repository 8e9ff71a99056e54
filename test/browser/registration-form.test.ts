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

  test('the form weighs less than 30 KB in every language, with its sheets, its script and the icon', async () => {
    const bytes = async (path: string, language: string) =>
      Buffer.from(
        await (await fetch(gallery.origin + path, { headers: { 'accept-language': language } })).arrayBuffer(),
      );
    for (const language of ['en', 'de', 'fr', 'es', 'zh']) {
      const page = await bytes('/developer-application-new', language);
      assert.match(page.toString(), new RegExp(`<html lang="${language}`));
      const parts = [...page.toString().matchAll(/(?:href|src)="(\/assets\/[^"]*)"/g)].map(([, path = '']) => path);
      const all = [page, ...(await Promise.all(parts.map((path) => bytes(path, language))))];
      const weight = all.reduce((sum, { length }) => sum + length, 0);
      assert.ok(parts.length > 5 && weight < 30 * 1024, `${language}: ${weight} bytes`);
    }
  });

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
        .evaluateAll((all) => all.map(({ id, localName }) => (localName === 'h1' ? localName : id || localName)));
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
    assert.match((await page.textContent('#redirect_uris-example')) ?? '', /https:\/\/printer\.example\/callback/);
    await page.close();
  });

  test('the kinds of applications keep within the column of the form, in one row, or in one column on a phone', async () => {
    for (const [width, columns] of [
      [1440, 5],
      [1024, 5],
      [390, 1],
      [320, 1],
    ] as const) {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      for (const language of ['en', 'de', 'es', 'fr', 'zh']) {
        await page.goto(`${gallery.origin}/developer-application-new?ui_locales=${language}`);
        const end = await page.locator('#name').evaluate((field) => field.getBoundingClientRect().right);
        const cards = await page.locator('.presets li').evaluateAll((all) =>
          all.map((item) => {
            const { right } = item.getBoundingClientRect();
            const over = [item, ...item.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right - right);
            return { right, isCut: Math.max(...over) > 0.5 };
          }),
        );
        assert.equal(new Set(cards.map(({ right }) => right)).size, columns, `${width} px, ${language}`);
        assert.ok(Math.abs(Math.max(...cards.map(({ right }) => right)) - end) < 1, `${width} px, ${language}`);
        assert.deepEqual(
          cards.filter(({ isCut }) => isCut),
          [],
          `${width} px, ${language}`,
        );
      }
      await page.close();
    }
  });

  test('choosing another kind sends what was typed, and Enter registers, without scripts', async () => {
    const page = await open('developer-application-new', { javaScriptEnabled: false });
    const sentBy = async (act: () => Promise<void>) => {
      const [request] = await Promise.all([page.waitForRequest((one) => one.method() === 'POST'), act()]);
      return new URLSearchParams(request.postData() ?? '');
    };
    await page.fill('#name', 'Cards');
    const chosen = await sentBy(() => page.click('.presets >> text=MCP client'));
    assert.deepEqual([chosen.get('preset'), chosen.get('name')], ['mcp', 'Cards']);
    await page.goto(`${gallery.origin}/developer-application-new`);
    await page.fill('#password', 'anything');
    const registered = await sentBy(() => page.press('#name', 'Enter'));
    assert.deepEqual([registered.get('preset'), registered.get('name')], [null, 'Photo Printer']);
    await page.close();
  });

  test('the first button of a form that another button fills in is one that nobody sees, and has no name', async () => {
    for (const name of ['developer-application-new', 'developer-security']) {
      const page = await open(name);
      const first = page.locator('main form button').first();
      // WebKit skips a button that has no box [HTMLFormElement::submitImplicitly]
      assert.equal(await first.evaluate((button) => button.getClientRects().length), 1, name);
      assert.equal(await first.isVisible(), false, name);
      assert.equal(await first.getAttribute('name'), null, name);
      await page.close();
    }
  });

  test('what is wrong keeps away from both edges of its box', async () => {
    const page = await open('developer-application-new', { viewport: { width: 320, height: 800 } });
    const inset = await page.locator('#faults').evaluate((box) => {
      const texts = [...box.children].map((one) => one.getBoundingClientRect().right);
      return box.getBoundingClientRect().right - Math.max(...texts);
    });
    assert.ok(inset >= 8, `${inset} px`);
    await page.close();
  });

  test('the lines of a program scroll and are not broken, on a phone, too', async () => {
    const page = await open('developer-connect', { viewport: { width: 390, height: 800 } });
    const [lines, height, isWider] = await page.locator('#code').evaluate((code) => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(code);
      const inner = code.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
      const count = (code.textContent ?? '').trimEnd().split('\n').length;
      return [count, inner / Number.parseFloat(lineHeight), code.scrollWidth > code.clientWidth] as const;
    });
    assert.ok(Math.abs(lines - height) < 1, `${lines} ${height}`);
    assert.ok(isWider);
    await page.close();
  });

  test('each endpoint has its button that copies it, the client secret has none, and a language begins at the line of its libraries', async () => {
    const page = await open('developer-connect', { viewport: { width: 1440, height: 900 } });
    const values = await page.locator('.endpoints dd').evaluateAll((all) =>
      all.map((dd) => {
        const button = dd.querySelector('button:not([hidden])');
        const textOf = (attribute: string) =>
          document.getElementById(button?.getAttribute(attribute) ?? '')?.textContent;
        return [textOf('aria-describedby'), textOf('data-copy')];
      }),
    );
    assert.equal(values.length, 8);
    assert.deepEqual(values[2], ['token_endpoint', 'http://localhost:3000/token']);
    assert.deepEqual(values[5], [undefined, undefined]);
    const offsets = await page.locator('.tight dt').evaluateAll((all) =>
      all.map((term) => {
        const link = term.nextElementSibling?.querySelector('a');
        const [one, other] = [term, link].map((box) => {
          const range = document.createRange();
          if (box?.firstChild) range.selectNodeContents(box.firstChild);
          return range.getBoundingClientRect().bottom;
        });
        return Math.abs((one ?? 0) - (other ?? 999));
      }),
    );
    assert.ok(
      offsets.every((offset) => offset < 1),
      `${offsets}`,
    );
    await page.close();
  });

  test('the figures, the client ID and the way on are the first things that the overview of an application says', async () => {
    const page = await open('developer-application', { viewport: { width: 1440, height: 900 } });
    const order = await page
      .locator('main :is(.figures, #client-id, section .button[href$="/connect"], #origin, #choice)')
      .evaluateAll((all) => all.map(({ id, className }) => id || className));
    assert.deepEqual(order, ['figures', 'client-id', 'button', 'origin', 'choice']);
    await page.close();
  });

  test('the three figures of an application stand in one row, on a narrow phone, too', async () => {
    const page = await open('developer-application', { viewport: { width: 320, height: 800 } });
    const tops = await page
      .locator('.figures > div')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    assert.deepEqual([tops.length, new Set(tops).size], [3, 1]);
    await page.close();
  });

  test('Find stands beside its field, and the list fills the frame of the page', async () => {
    const page = await open('developer-applications', { viewport: { width: 1440, height: 900 } });
    const [field, button] = await Promise.all(
      ['#request_id', '[role="search"] button'].map((selector) => page.locator(selector).boundingBox()),
    );
    assert.ok(field && button && button.x > field.x + field.width && Math.abs(button.y - field.y) < 8);
    const rights = await page
      .locator('main > .index, footer')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    assert.equal(new Set(rights).size, 1, `${rights}`);
    await page.close();
  });

  test('on a phone, the field for a token is as wide as its form', async () => {
    const page = await open('developer-application-activity', { viewport: { width: 390, height: 800 } });
    const widthOf = (selector: string) => page.locator(selector).evaluate((one) => one.getBoundingClientRect().width);
    assert.equal(await widthOf('#token'), await widthOf('form:has(#token)'));
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
