// ci: four days of refreshes
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '../support/database.ts';
import { judgeYear, simulateYear, type Year } from './year.ts';

const plan = { families: 160, days: 4, routine: 1, statements: 5 };

test('families that are refreshed every hour have no more rows and no more bytes after four days than after the first ones', async () => {
  const year = await simulateYear(await createDatabase(), plan);
  assert.equal(year.refreshes + year.exchanges, 160 * 4 * 24);
  // the first of them has ended, and its row is swept a day later
  assert.equal(year.exchanges, 1);
  assert.deepEqual(grown(year), []);
  const { authorization_codes, access_tokens, routine_events } = year.days.at(-1)?.tables ?? {};
  assert.equal(authorization_codes?.rows, 160);
  // of 25 hours
  assert.equal(access_tokens?.rows, 160 * 25);
  assert.equal(routine_events?.rows, 160 * 24);
});

const grown = (year: Year) => judgeYear(year, plan).filter(({ isFlat }) => !isFlat);

test('a row that each refresh leaves, and bytes that it leaves, count as growth', () => {
  const [rows, bytes] = [1000, 2 ** 22];
  const tables = (grows: number) => ({
    authorization_codes: { rows: rows * grows, bytes: bytes * grows },
    ...{ grants: { rows, bytes }, access_tokens: { rows, bytes }, routine_events: { rows, bytes } },
  });
  const yearOf = (grows: number): Year => ({
    days: [1, 2, 3, 4].map((day) => ({ day, tables: tables(day === 4 ? grows : 1) })),
    ...{ refreshes: 1000, exchanges: 0 },
  });
  assert.deepEqual(grown(yearOf(1.09)), []);
  const named = grown(yearOf(1.2)).map(({ what }) => what);
  assert.deepEqual(named, ['authorization_codes, rows after day 1', 'authorization_codes, bytes after day 1']);
});
