import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefixOf } from '../../src/lib/network.ts';

for (const [address, prefix] of [
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:7:1::5', '2001:db8:7::/48'],
  ['2001:DB8:0007:ffff:1:2:3:4', '2001:db8:7::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['unknown', 'unknown'],
] as const) {
  test(`the neighbours of ${address} have the prefix ${prefix} [F49]`, () => {
    assert.equal(prefixOf(address), prefix);
  });
}
