import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { contrastWarning } from '../../src/pages/brand.ts';

test('a brand or a registration setting that cannot be used is named at start, all at once', () => {
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

test('without settings: Latchkey, no logo, no colour, registration by administrators', () => {
  const { brand, registration } = loadConfig({});
  assert.deepEqual([brand, registration], [{ name: 'Latchkey', logo_uri: undefined, color: undefined }, 'admins']);
});

test('a colour that cannot be read is told at start, with the shade that is shown instead', () => {
  assert.equal(contrastWarning({ name: 'Latchkey' }), undefined);
  assert.match(contrastWarning({ name: 'Pale', color: '#ffee88' }) ?? '', /^BRAND_COLOR #ffee88 .* on light pages$/);
  assert.match(contrastWarning({ name: 'Deep', color: '#102040' }) ?? '', /on dark pages$/);
});
