import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { beginFetchOfKeys, pauseAfterFetch } from '../../src/clients/client-key-sets.sql.ts';
import { beginFetchOfDocument } from '../../src/people/providers/provider-documents.sql.ts';
import { beginFetchOfWebsiteKeys, pauseBetweenFetches } from '../../src/people/website/website-keys.sql.ts';
import type { Database } from '../../src/postgres/database.ts';
import { registerKeyClient } from '../support/client-assertion.ts';
import { startLatchkey } from '../support/latchkey.ts';
import { startProvider } from '../support/openid-provider.ts';
import { registerFake } from '../support/providers.ts';

const { database } = await startLatchkey();
const [client_id, uri] = ['keys', 'https://client.example/jwks'];
await registerKeyClient(database, { client_id, jwks_uri: uri });
await registerFake(database, await startProvider());

const claims: Record<string, { claim: (by: Database) => Promise<boolean>; pause: number; ended: string }> = {
  client_key_sets: {
    claim: (by) => beginFetchOfKeys(by, { client_id, jwks_uri: uri }),
    pause: pauseAfterFetch,
    ended: ', fetching_until = null',
  },
  provider_documents: {
    claim: (by) => beginFetchOfDocument(by, { name: 'acme', kind: 'keys', uri }),
    pause: pauseAfterFetch,
    ended: ', fetching_until = null',
  },
  website_key_sets: { claim: (by) => beginFetchOfWebsiteKeys(by, uri), pause: pauseBetweenFetches, ended: '' },
};

const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

for (const [table, { claim, pause: seconds, ended }] of Object.entries(claims)) {
  const set = (time: string) => `update ${table} set next_try_at = clock_timestamp() + ${time}${ended}`;

  test(`a claim of ${table} that began before another fetch has ended does not fetch once more`, async () => {
    assert.equal(await claim(database), true);
    const other = await database.connect();
    await other.query('begin');
    await other.query(set("interval '-1 minute'"));
    const waiting = claim(database);
    while ((await database.query(waits)).rowCount === 0) await pause(5);
    await other.query(set(`make_interval(secs => ${seconds})`));
    await other.query('commit');
    other.release();
    assert.equal(await waiting, false);
  });

  test(`a pause of ${table} that is further ahead than any was set before the clock went back`, async () => {
    await database.query(set(`make_interval(secs => ${seconds + 5})`));
    assert.equal(await claim(database), true);
  });
}
