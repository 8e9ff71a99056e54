import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, loadConfig } from '../../src/config/config.ts';
import { contrastWarning } from '../../src/web/brand.ts';

test('invalid brand and registration settings are all reported at start', () => {
  const env = {
    BRAND_NAME: 'x'.repeat(41),
    BRAND_LOGO_URI: 'http://example.com/logo.svg',
    BRAND_COLOR: 'green; background: red',
    REGISTRATION: 'everybody',
  };
  assert.throws(
    () => loadConfig(env),
    (error: unknown) =>
      error instanceof ConfigError && Object.keys(env).every((name) => error.message.includes(`${name}: must`)),
  );
});

test('a name that would change what stands around it is refused at the start [A542]', () => {
  for (const name of ['Wonder\nland', 'Wonder\u202eland', 'Wonder\u200bland', 'Wonder\u001b[2Jland']) {
    assert.throws(
      () => loadConfig({ BRAND_NAME: name }),
      /^Error: BRAND_NAME: must not contain line ends or invisible/,
    );
  }
  assert.equal(loadConfig({ BRAND_NAME: 'Wunder & Söhne 奇境' }).brand.name, 'Wunder & Söhne 奇境');
});

test('by default the brand is Latchkey without logo and colour, and only administrators register clients', () => {
  const { brand, registration } = loadConfig({});
  assert.deepEqual([brand, registration], [{ name: 'Latchkey', logo_uri: undefined, color: undefined }, 'admins']);
});

test('a colour with too little contrast is reported at start, with the shade used instead', () => {
  assert.equal(contrastWarning({ name: 'Latchkey' }), undefined);
  assert.match(contrastWarning({ name: 'Pale', color: '#ffee88' }) ?? '', /^BRAND_COLOR #ffee88 .* on light pages$/);
  assert.match(contrastWarning({ name: 'Deep', color: '#102040' }) ?? '', /on dark pages$/);
});
