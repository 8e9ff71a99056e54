import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obtainCode, signedInBrowser } from '../support/flow.ts';
import { printer, registerPeople, registerPrinter, registerResource, startLatchkey } from '../support/latchkey.ts';

// What the doors accept, the audit trail and the list of refusals must accept, too: or else what somebody may do fails as it is recorded.

const { origin, database } = await startLatchkey();
await registerPeople(database, ['alice', 'root']);
await database.query("update users set is_admin = true where username = 'root'");

/** Names of scopes that contain the beginning of a secret, and one that looks like a whole one. */
const scopes = ['talk_to_agents', 'milk_at_home', 'bulk_rt_orders:read', 'lk_cs_', `lk_at_${'a'.repeat(58)}`];
const longestSite = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`;
const longestResource = `https://${longestSite}/lk_rt_${'x'.repeat(500)}`.slice(0, 500);

for (const name of scopes) await database.query('select register_scope($1, $2)', [name, `Use ${name}`]);
await registerPrinter(database, { scopes: ['user', ...scopes] });
await registerResource(database, longestResource, scopes);

const eventsSince = async (since: Date) =>
  (
    await database.query<{ event: string; detail: string | null }>(
      'select event, detail from audit_trail where happened_at >= $1 order by happened_at',
      [since],
    )
  ).rows;
const now = async (): Promise<Date> => (await database.query('select clock_timestamp() as now')).rows[0].now;

test('whoever allows a scope whose name contains the beginning of a secret is not refused, and the trail names it', async () => {
  const browser = await signedInBrowser(origin);
  for (const scope of scopes) {
    const since = await now();
    await obtainCode(browser, { scope, resource: longestResource, prompt: 'consent' });
    const [given] = (await eventsSince(since)).filter(({ event }) => event === 'consent_given');
    assert.ok(given?.detail?.includes(scope.length === 64 ? '(secret)' : scope), `${scope}: ${given?.detail}`);
  }
});

test('an administrator makes such a scope, and a resource with such an address, each with its event', async () => {
  const root = await signedInBrowser(origin, 'root');
  const scope = 'silk_ra_';
  const resource = `https://api.example/${scope}`;
  const since = await now();
  const made = await root.submit(await root.visit('/admin/scopes'), 'id="register"', {
    name: scope,
    sentence: 'Weave',
  });
  assert.equal(made.status, 200, made.text);
  const registered = await root.submit(await root.visit('/admin/resources'), 'id="register"', {
    resource,
    scopes: scope,
  });
  assert.equal(registered.status, 200, registered.text);
  assert.deepEqual(
    (await eventsSince(since)).filter(({ event }) => event.endsWith('_registered')),
    [
      { event: 'scope_registered', detail: scope },
      { event: 'resource_registered', detail: resource },
    ],
  );
});

test('each column of the trail and of the refusals takes the longest and oddest values that any door accepts', async () => {
  const values = [...scopes, longestSite, longestResource, `lk_cs_${'~'.repeat(194)}`, 'ő'.repeat(200), '"\\lk_ac_ '];
  const { rows: columns } = await database.query<{ table: string; name: string }>(
    `select table_name::text as table, column_name::text as name
     from information_schema.columns
     where table_name in ('audit_events', 'routine_events', 'refusals')
       and data_type = 'text'`,
  );
  assert.ok(columns.length > 12, 'finds the columns');
  const filler = {
    request_id: 'r',
    event: 'e',
    client_id: printer.client_id,
    request: 'GET /',
    error: 'e',
    reason: 'r',
  };
  const needed = {
    audit_events: ['event', 'request_id'],
    routine_events: ['event', 'request_id'],
    refusals: ['client_id', 'request_id', 'request', 'error', 'reason'],
  };
  for (const { table, name } of columns) {
    for (const value of name === 'client_id' && table === 'refusals' ? [] : values) {
      const row: Record<string, string> = {
        ...Object.fromEntries(
          needed[table as keyof typeof needed].map((column) => [column, filler[column as keyof typeof filler]]),
        ),
        [name]: value,
      };
      const places = Object.keys(row).map((_, index) => `$${index + 1}`);
      await database
        .query(`insert into ${table} (${Object.keys(row)}) values (${places})`, Object.values(row))
        .catch((error: Error) => assert.fail(`${table}.${name} refuses ${value}: ${error.message}`));
    }
  }
});
