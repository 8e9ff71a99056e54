import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findDocument } from '../../src/clients/client-documents.sql.ts';
import { beginFetchOfKeys, pauseAfterFetch } from '../../src/clients/client-key-sets.sql.ts';
import { findAnyClient } from '../../src/clients/clients.sql.ts';
import { beginFetchOfDocument, findProviderDocument } from '../../src/people/providers/provider-documents.sql.ts';
import {
  beginFetchOfWebsiteKeys,
  findWebsiteKeys,
  pauseBetweenFetches,
} from '../../src/people/website/website-keys.sql.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { registerKeyClient } from '../support/client-assertion.ts';
import { startLatchkey } from '../support/latchkey.ts';
import { startProvider } from '../support/openid-provider.ts';
import { registerFake } from '../support/providers.ts';

const { database, url } = await startLatchkey();
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

test('what was fetched since a statement began was not fetched before the clock went back', async () => {
  // all statements of a transaction begin at its start
  const earlier = openDatabase({ connectionString: url }, 1);
  after(() => earlier.end());
  await earlier.query('begin');
  for (const [table, { claim }] of Object.entries(claims)) {
    await claim(database);
    const content = table === 'provider_documents' ? `content = '{}'` : `keys = '[]'`;
    await database.query(`update ${table} set fetched_at = clock_timestamp(), ${content}`);
  }
  const document = {
    ...{ client_id: 'https://app.example/client', name: 'App', site_domain: 'app.example' },
    ...{ redirect_uris: ['https://app.example/'], scopes: ['user:name'], grant_types: ['authorization_code'] },
    token_endpoint_auth_method: 'none',
  };
  await database.query('select keep_client_document($1, 3600)', [JSON.stringify(document)]);
  const ages = [
    (await findAnyClient(earlier, client_id))?.published_keys_age,
    (await findProviderDocument(earlier, { name: 'acme', kind: 'keys', uri }))?.age,
    (await findWebsiteKeys(earlier, uri))?.age,
  ];
  const found = await findDocument(earlier, document.client_id, ['app.example']);
  await earlier.query('rollback');
  for (const age of ages) assert.ok(age !== undefined && age !== null && age >= 0, String(ages));
  assert.deepEqual([found?.state, found?.is_recent], ['fresh', true]);
});
