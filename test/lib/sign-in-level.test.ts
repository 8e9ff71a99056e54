import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf } from '../../src/lib/sign-in-level.ts';

const elsewhere = new Set(['website:amr=mfa', 'provider:acme:acr=https://acme.example/two']);

test('a password, another place and a trusted browser are one factor', () => {
  assert.equal(levelOf(['password']), 1);
  assert.equal(levelOf(['website']), 1);
  assert.equal(levelOf(['provider']), 1);
  assert.equal(levelOf(['password', 'trusted_browser']), 1);
  assert.equal(levelOf([]), 1);
});

test('a passkey, a security key and a code make two factors', () => {
  assert.equal(levelOf(['passkey']), 2);
  for (const second of ['security_key', 'totp', 'recovery_code']) {
    assert.equal(levelOf(['password', second]), 2, second);
    assert.equal(levelOf(['provider', second]), 2, second);
  }
});

test('another place proves two factors only in the words that the operator has written down for it', () => {
  assert.equal(levelOf(['website'], { source: 'website', amr: ['pwd', 'mfa'] }, elsewhere), 2);
  assert.equal(levelOf(['provider'], { source: 'provider:acme', acr: 'https://acme.example/two' }, elsewhere), 2);
  for (const said of [
    { source: 'website', amr: ['pwd', 'otp'] },
    { source: 'website', acr: '2' },
    { source: 'website', acr: 'mfa' },
    { source: 'website', acr: 'https://acme.example/two' },
    { source: 'provider:acme', amr: ['mfa'] },
    { source: 'provider:other', acr: 'https://acme.example/two' },
    { amr: ['mfa'] },
  ]) {
    assert.equal(levelOf(['website'], said, elsewhere), 1, JSON.stringify(said));
  }
  assert.equal(levelOf(['website'], { source: 'website', amr: ['mfa'] }), 1);
});
