import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedTime } from '../../src/audit/audit-restrictions.ts';

test('a day that no calendar has is no time, and the last of each month is one', () => {
  for (const day of [
    '2026-02-30',
    '2026-02-29',
    '2026-04-31',
    '2026-02-30T08:00',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
  ])
    assert.equal(typedTime(day, 'begin'), undefined, day);
  for (const day of ['2026-02-28', '2028-02-29', '2026-04-30', '2026-12-31'])
    assert.equal(typedTime(day, 'begin')?.toJSON(), `${day}T00:00:00.000Z`);
});
