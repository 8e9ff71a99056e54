// ci: makes a million applications
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { statements } from '../../src/postgres/database.ts';
import { signedInBrowser } from '../support/flow.ts';
import { registerPeople, startLatchkey } from '../support/latchkey.ts';

const { origin, url, database } = await startLatchkey();
// without the time limits of requests; it ends with the database of this file
const client = new pg.Client(url).on('error', () => {});
await client.connect();

async function fill(): Promise<void> {
  // rows first: a tenth of the time
  const { rows: indexes } = await client.query(
    `select indexname as name, indexdef as definition
     from pg_indexes
     where tablename = 'clients'
       and (indexname ~ '_text$' or indexname ~ '_word$' or indexname in ('clients_by_scope', 'clients_by_site'))`,
  );
  assert.equal(indexes.length, 9);
  await client.query(`drop index ${indexes.map(({ name }) => name).join(', ')}`);
  await client.query(
    `insert into clients (client_id, name, site_domain, redirect_uris, scopes, required_scopes, grant_types, secrets_sha256, secrets_since, vouched)
     select 'many-' || n, 'Many of them all ' || n, 'many' || n % 1000 || '.example', '{https://many.example/cb}', '{user:name}', '{}', '{authorization_code}', '{}', '{}', false
     from generate_series(1, 1000000) n`,
  );
  for (const { definition } of indexes) await client.query(definition);
  await client.query('analyze clients');
}

/** As the server runs it: with a plan that knows no values. */
async function planOf(name: string, values: string): Promise<{ plan: string; ms: number }> {
  const found = statements.get(name);
  const text = typeof found === 'string' ? found : (found?.text ?? '');
  assert.notEqual(text, '');
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare seen as ${text}`);
  await client.query(`execute seen(${values})`);
  const { rows } = await client.query(`explain (analyze, format json) execute seen(${values})`);
  await client.query('deallocate seen');
  const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
  return { plan: JSON.stringify(plan), ms };
}

after(() => client.end());

/** The values of an event that a statement writes beside its change. */
const event = "'scope_deleted', null, null, null, 'r', null, null";

test('among a million applications each search, and the use of a scope, is a bounded part of an index', async () => {
  await registerPeople(database, ['root']);
  await client.query("update users set is_admin = true where username = 'root'");
  await fill();
  const root = await signedInBrowser(origin, 'root');
  for (const typed of [
    'many',
    'm',
    'many of',
    'of',
    'them',
    'all',

    '999',
    'example',
    'many-99',
    'many7.example',
    'nothing at all',
  ]) {
    const { plan, ms } = await planOf('find_applications', `'${typed}', null, 51`);
    assert.doesNotMatch(plan, /Seq Scan/, typed);
    assert.ok(ms < 20, `${typed}: ${ms} ms`);
    const page = await root.visit(`/admin/applications?${new URLSearchParams({ find: typed })}`);
    assert.equal(page.status, 200, typed);
    assert.equal(/More applications match/.test(page.text), typed !== 'nothing at all');
  }
  for (const [name, values] of [
    ['find_uses_of_scope', `'user:email'`],
    // of all of them
    ['find_uses_of_scope', `'user:name'`],
    ['delete_scope', `'user:name', '{}', ${event}`],
    ['delete_scope', `'repo:read', '{}', ${event}`],
  ] as const) {
    const { plan, ms } = await planOf(name, values);
    assert.doesNotMatch(plan, /Seq Scan[^{]*"Relation Name":"clients"/, name);
    assert.ok(ms < 50, `${name}: ${ms} ms`);
  }
  for (const path of ['/admin/scopes', '/admin/scopes/user%3Aname']) {
    const start = performance.now();
    const { status, text } = await root.visit(path);
    assert.deepEqual([status, /many-\d+/.test(text)], [200, true], path);
    assert.ok(performance.now() - start < 500, path);
  }
});
