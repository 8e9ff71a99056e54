import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential, createSecret, keptCharacters, withoutSecrets } from '../../src/lib/secrets.ts';
import { madeUpRefreshToken } from '../support/attack.ts';

const jwt = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${'p'.repeat(40)}.${'s'.repeat(86)}`;
const secrets = [
  createSecret('client_secret'),
  createSecret('initial_access_token'),
  createSecret('registration_access_token'),
  createCredential('access_token'),
  madeUpRefreshToken(),
  createCredential('authorization_code'),
  jwt,
];

const escaped = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

/** The spellings that a client, a proxy or a redirect makes of a text. */
const spellings: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replaceAll('_', '%5F').replaceAll('.', '%2E'),
  (text) => text.replaceAll('_', '%5f').replaceAll('.', '%2e').replaceAll('-', '%2d'),
  (text) => text.replaceAll('_', '%255F').replaceAll('.', '%252e'),
  escaped,
];

test('no secret is left in a text, however it is spelled and whatever is around it', () => {
  for (const spell of spellings) {
    for (const secret of secrets.map(spell)) {
      for (const text of [secret, `/users/${secret}/x`, `?a=${secret}&b=2`, `%3D${secret}`, `token-${secret}`]) {
        const rest = withoutSecrets(text);
        assert.match(rest, /\(secret\)/, text);
        assert.ok(!rest.includes(secret.slice(12, 24)), rest);
      }
    }
  }
});

test('a secret that is cut in the middle is removed with its beginning', () => {
  for (const spell of spellings) {
    for (const secret of secrets.map(spell)) {
      for (let kept = 1; kept < Math.min(secret.length, keptCharacters); kept += 1) {
        const text = `/${'a'.repeat(keptCharacters - kept - 1)}${secret}`;
        const rest = withoutSecrets(text);
        // at most what everybody knows: the prefix, or the beginning of the encoded {"
        const known = text.slice(0, keptCharacters - kept) + secret.slice(0, Math.min(kept, spell('lk_at_').length));
        assert.ok(known.startsWith(rest) || rest.endsWith('(secret)'), rest.slice(-60));
      }
    }
  }
});

test('what is no secret stays', () => {
  for (const text of ['/token', 'photo-printer', 'HoneyJournal-web', 'https://a.example/%7Eclient', 'lk_', '100%'])
    assert.equal(withoutSecrets(text), text);
});
