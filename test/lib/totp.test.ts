import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeAt, keyUri, stepAt, stepOf, writtenSecret } from '../../src/lib/totp.ts';

const secret = Buffer.from('12345678901234567890');

test('codes are those of the test vectors, shortened to six digits [6238 Appendix B]', () => {
  const vectors = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const;
  for (const [time, code] of vectors) assert.equal(codeAt(secret, stepAt(time)), code);
});

test('a code is right in its step, the one before and the one after, and in no other', () => {
  const now = 1_800_000_010;
  const found = [-3, -2, -1, 0, 1, 2, 3].map((steps) => stepOf(secret, codeAt(secret, stepAt(now) + steps), now));
  const step = stepAt(now);
  assert.deepEqual(found, [undefined, undefined, step - 1, step, step + 1, undefined, undefined]);
});

test('the secret is written in groups of four letters, and stands in the address that an app reads', () => {
  assert.equal(writtenSecret(secret), 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ');
  const uri = new URL(keyUri(secret, { issuer: 'Acme: Söhne', account: 'alice@example.com' }));
  assert.equal(uri.searchParams.get('secret'), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  assert.equal(uri.searchParams.get('issuer'), 'Acme  Söhne');
  assert.equal(decodeURIComponent(uri.pathname), '/Acme  Söhne:alice@example.com');
});
