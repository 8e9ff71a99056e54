import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readColor } from '../../src/config/values.ts';
import { brandSheet, contrast } from '../../src/web/brand.ts';

const color = (text: string) => {
  const read = readColor(text);
  assert.ok(read, text);
  return read;
};
const papers = { light: color('#ffffff'), dark: color('#202426') };

/** The properties of the sheet, light or dark. */
function properties(sheet: string, scheme: 'light' | 'dark'): Record<string, string> {
  const [light = '', dark = ''] = sheet.split('@media(prefers-color-scheme:dark)');
  const pairs = (scheme === 'light' ? light : dark).matchAll(/--([\w-]+):(#[0-9a-f]{6})/g);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value]));
}

test('with any brand colour, every text has enough contrast [WCAG 2.2 §1.4.3]', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), fc.constantFrom('light', 'dark'), (channels, scheme) => {
      const chosen = `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
      const set = properties(brandSheet({ name: 'Acme', color: chosen }), scheme);
      const pairs = [
        [color(set.accent ?? ''), papers[scheme]],
        [color(set['on-accent'] ?? ''), color(set.accent ?? '')],
        [color(set['on-fill'] ?? ''), color(set.fill ?? '')],
      ] as const;
      for (const [text, ground] of pairs) assert.ok(contrast(text, ground) >= 4.5, `${chosen} ${scheme}`);
      assert.equal(set.fill, chosen);
    }),
    { numRuns: 500 },
  );
});

test('a colour with enough contrast is used unchanged', () => {
  assert.equal(properties(brandSheet({ name: 'Acme', color: '#0B5A63' }), 'light').accent, '#0b5a63');
});

test('contrast follows the standard: 21 for black on white, 1 for equal colours', () => {
  assert.equal(contrast(color('#000'), color('#fff')), 21);
  assert.equal(contrast(color('#777777'), color('#777777')), 1);
  assert.equal(contrast(color('#767676'), color('#fff')).toFixed(2), '4.54');
});

test('only #rgb and #rrggbb are accepted as colours, so nothing else can enter the style sheet', () => {
  for (const text of ['red', '#ff', '#12345g', 'ffffff', '#fff}', ' #fff', '#ffffff80', '']) {
    assert.equal(readColor(text), undefined, text);
    assert.equal(brandSheet({ name: 'Acme', color: text }), '', text);
  }
});
