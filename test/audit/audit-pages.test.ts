import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AuditFilter, findEvents, findEventsForward } from '../../src/audit/audit-search.sql.ts';
import { findEventsOfUser } from '../../src/audit/events.sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import type { Page } from '../../src/postgres/pagination.sql.ts';
import { ownConnections } from '../../src/postgres/share.ts';
import { createDatabase } from '../support/database.ts';

const database = openDatabase({ connectionString: await createDatabase() }, 4);
const own = ownConnections(database, 2, '1s');
after(() => database.end());

/** The times of all pages are a moment with 2,000 events and the moments before and after it, of which some share a microsecond. */
before(async () => {
  const ago = `case when n <= 2000 then interval '1 minute' else n / 3 * interval '1 microsecond' end`;
  await database.query(
    `insert into audit_events (happened_at, event, user_id, client_id, request_id, address, by_user_id, by_system_user)
     select now() - ${ago}, case when n % 2 = 0 then 'profile_changed' else 'signed_in' end, 7, 'app', 'a' || n, '192.0.2.1',
       case when n % 3 = 0 then 5 end, case when n % 4 = 0 then 'root' end
     from generate_series(1, 2100) n`,
  );
  await database.query(
    `insert into routine_events (happened_at, event, user_id, client_id, request_id)
     select now() - interval '1 minute', 'tokens_refreshed', 7, 'app', 'r' || n from generate_series(1, 300) n`,
  );
});

async function idsOf(
  limit: number,
  read: (after: string | undefined) => Promise<Page<{ request_id: string }>>,
): Promise<string[]> {
  const found: string[] = [];
  let next: string | undefined;
  do {
    const page = await read(next);
    assert.ok(page.rows.length <= limit, `${page.rows.length} events on a page of ${limit}`);
    found.push(...page.rows.map(({ request_id }) => request_id));
    next = page.next;
  } while (next !== undefined);
  return found;
}

const filters: [AuditFilter, (n: number) => boolean][] = [
  [{ client_id: 'app' }, () => true],
  [{ event: 'signed_in' }, (n) => n % 2 === 1],
  [{ event: 'profile_changed', address: '192.0.2.1' }, (n) => n % 2 === 0],
  [{ by_user_id: 5 }, (n) => n % 3 === 0],
  [{ by_user_id: 5, by_system_user: 'root' }, (n) => n % 3 === 0 || n % 4 === 0],
  [{ by_user_id: 5, event: 'signed_in' }, (n) => n % 6 === 3],
];

const changed = Array.from({ length: 2100 }, (_, index) => index + 1);
const refreshed = Array.from({ length: 300 }, (_, index) => `r${index + 1}`);
const idsWhere = (fits: (n: number) => boolean) => changed.filter(fits).map((n) => `a${n}`);

for (const [direction, find] of Object.entries({ newest: findEvents, oldest: findEventsForward })) {
  test(`a page of events has a bound, and each event is on exactly one page, ${direction} first, whatever happened at one moment`, async () => {
    for (const [filter, fits] of filters) {
      for (const limit of [50, 333]) {
        const found = await idsOf(limit, (after) => find(own, filter, after, limit));
        assert.deepEqual(found.toSorted(), idsWhere(fits).sort(), `${JSON.stringify(filter)} by ${limit}`);
      }
    }
    const everything = await idsOf(100, (after) => find(own, {}, after, 100));
    assert.deepEqual(everything.toSorted(), [...idsWhere(() => true), ...refreshed].sort());
  });
}

test('read forward, the events are those that are read backward, in the other order', async () => {
  const read = (find: typeof findEvents) => idsOf(70, (after) => find(own, {}, after, 70));
  assert.deepEqual((await read(findEvents)).toReversed(), await read(findEventsForward));
});

test('a page of a person’s activity has a bound, and each event is on exactly one page', async () => {
  const found = await idsOf(20, (after) => findEventsOfUser(database, 7, after, 20));
  assert.deepEqual(found.toSorted(), idsWhere(() => true).sort());
});

test('a key that nobody was given leads to no error', async () => {
  const hostile = ['x', '-1', '9'.repeat(16), '1-2-3', '1700000000000000-9999999999-999999999-9999', "'"];
  for (const after of hostile) {
    for (const find of [findEvents, findEventsForward]) await find(own, {}, after, 5);
    await findEventsOfUser(database, 7, after, 5);
  }
});
