// ci: fills tables with a million rows
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findEvents, findEventsForward } from '../../src/audit/audit-search.sql.ts';
import { countPeopleWithScope } from '../../src/catalogue/scopes.sql.ts';
import { findBans } from '../../src/clients/banned-sites.sql.ts';
import { listPeople, peopleLists } from '../../src/identity/people-lists.sql.ts';
import { findPeople } from '../../src/identity/people-search.sql.ts';
import { findUserByName } from '../../src/identity/users.sql.ts';
import { listGrantsOfClient } from '../../src/oauth/consent/grant-changes.sql.ts';
import { openDatabase, statements } from '../../src/postgres/database.ts';
import { ownConnections } from '../../src/postgres/share.ts';
import { createDatabase } from '../support/database.ts';

/** People, events and grants: ROWS=1000000 shows the same at a million. */
const often = Number(process.env['ROWS'] ?? 100_000);
/** Blocks that one statement may read: of a part of a name, the index reads its entries for the rarest three characters. */
const mostBlocks = 1000;
const database = openDatabase({ connectionString: await createDatabase() }, 4);
Object.assign(database.options, { query_timeout: 600_000 });
const own = ownConnections(database, 2, '1s');
after(() => database.end());

before(async () => {
  const client = await database.connect();
  await client.query(`set statement_timeout = 0; set session_replication_role = replica; set enable_seqscan = on`);
  const n = `generate_series(1, ${often}) n`;
  await client.query(`insert into users (username, email, email_verified, name, is_admin, disabled_at, seen_on)
    select 'person-' || n, 'person-' || n || '@example.com', true, 'Given' || n % 50 || ' Anna Bo Cara Family' || n % 3,
      n % 5 = 3, case when n % 2 = 0 then now() end, case when n % 10 = 1 then current_date - 400 else current_date end from ${n}`);
  await client.query(
    `insert into users (username, email, name) values ('zoë-åström', 'rare@typo.example', 'Zoë Ulrika Maria Ingrid Hjelm')`,
  );
  const index = await client.query("select pg_get_indexdef('sign_in_names_by_part'::regclass) as definition");
  // rows first: a tenth of the time
  await client.query('drop index sign_in_names_by_part');
  await client.query(`insert into sign_in_names (name, user_id)
    select unnest(names_of_user(users)), user_id from users`);
  await client.query(index.rows[0].definition);
  await client.query(`insert into clients (client_id, name, site_domain, redirect_uris, scopes, required_scopes, grant_types, secrets_sha256, secrets_since)
    values ('app', 'App', 'app.example', '{https://app.example/}', '{user:name}', '{}', '{authorization_code}', '{}', '{}')`);
  await client.query(`insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
    select user_id, 'app', case when user_id > ${often} - 5 then '{user:name,rare}'::text[] when user_id % 20 = 0 then '{user:name,some}' else '{user:name}' end,
      '{}', '{}', 'always' from users`);
  await client.query(`insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration, expires_at)
    select user_id, 'spent', '{spent}', '{}', '{}', 'once', now() - interval '1 day' from users`);
  await client.query(`insert into audit_events (happened_at, event, user_id, client_id, request_id, address)
    select now() - n * interval '1 second', 'signed_in', n % 1000, 'app', 'r' || n, '192.0.2.' || n % 250 from ${n}`);
  // nearly all by one administrator and one user of the system
  await client.query(`insert into audit_events (happened_at, event, user_id, request_id, by_user_id, by_system_user)
    select now() - n * interval '1 second', 'user_unlocked', n % 1000, 'b' || n, case n % 2 when 0 then 1 end, case n % 2 when 1 then 'root' end
    from generate_series(1, ${often} / 2) n`);
  // of 8000 events of an application and 8000 of a kind, three are both
  await client.query(`insert into audit_events (happened_at, event, user_id, client_id, request_id)
    select now() - n * interval '1 minute', case when n % 2 = 0 or n in (3, 4003, 7003) then 'profile_changed' else 'consent_given' end,
      n, case when n % 2 = 1 then 'other' else 'app' end, 'o' || n from generate_series(1, 16000) n`);
  await client.query(`insert into routine_events (happened_at, event, user_id, client_id, request_id)
    select now() - n * interval '1 second', 'tokens_refreshed', 1, 'app', 'x' || n from ${n}`);
  await client.query(`with banned as (
      insert into banned_sites (site_domain, banned_at)
      select 'site-' || n || '.example', now() - n * interval '1 second' from ${n}
      returning site_domain, banned_at)
    insert into audit_events (happened_at, event, request_id, detail)
    select banned_at, 'site_banned', 'ban', site_domain from banned`);
  await client.query('reset session_replication_role');
  await client.query('vacuum analyze');
  client.release(true);
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Runs it, and explains each of its statements as it is planned for these values. */
async function explained(run: (database: typeof own) => Promise<unknown>) {
  const asked: { name: string; values: unknown[] }[] = [];
  const { query } = own;
  const watched = Object.assign(Object.create(own), {
    query: (given: (typeof asked)[number]) => {
      asked.push(given);
      return Reflect.apply(query, own, [given]);
    },
  }) as typeof own;
  const start = performance.now();
  await run(watched);
  const ms = performance.now() - start;
  let blocks = 0;
  const scans: string[] = [];
  for (const { name, values } of asked) {
    const text = `explain (analyze, buffers, format json) ${statements.get(name)?.text}`;
    const { rows } = await own.query({ text, values });
    const plan: Plan = rows[0]['QUERY PLAN'][0].Plan;
    blocks = Math.max(blocks, plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    const whole = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan');
    scans.push(...whole.map((node) => `${name}: ${node['Relation Name']}`));
  }
  assert.ok(asked.length > 0);
  return { blocks, scans, ms };
}

async function assertCheap(title: string, run: (database: typeof own) => Promise<unknown>): Promise<void> {
  await run(own);
  const { blocks, scans, ms } = await explained(run);
  if (process.env['ROWS']) console.log(`${title}: ${blocks} blocks, ${ms.toFixed(1)} ms`);
  assert.deepEqual(scans, [], title);
  assert.ok(blocks < mostBlocks, `${title}: ${blocks} blocks`);
}

test('a search for people reads few blocks and no whole table, whatever is searched for [A532]', async () => {
  const half = Math.floor(often / 2);
  for (const text of [
    'p',
    'person',
    'erson',
    'example.com',
    '@',
    '-12',
    `person-${half}`,
    `erson-${half}@`,
    'ZOË',
    'åst',
    'rare@typo',
    'nosrep',
    'person nobody',
    'com.elpmaxe',
    String(half),
    'on-99@exam',
    '00000',
    `${half}`.slice(1),
    'a@e',
    'n-1 n-2',
    'person'.repeat(40),
    // real names, common and rare
    'given',
    'anna',
    'bo',
    'cara',
    'family1',
    'given7 anna fam',
    'ulrika',
    'hjel',
    'x anna',
  ]) {
    await assertCheap(text, (connections) => findPeople(connections, text, 20));
    await assertCheap(`more of ${text}`, (connections) => findPeople(connections, text, 100));
  }
  assert.equal((await findPeople(own, 'erson', 20)).more, true);
  assert.deepEqual(
    (await findPeople(own, 'on-99@exam', 20)).people.map(({ username }) => username),
    ['person-99'],
  );
  // a common part, which is found in a sample, and a rare one
  for (const text of ['erson', 'on-99']) {
    const found = (await findPeople(own, text, 20)).people;
    assert.deepEqual((await findPeople(own, text, 100)).people.slice(0, 20), found, text);
  }
  for (const text of ['åst', 'zoë u', 'ULRIKA', 'mari', 'ingrid', 'hjel']) {
    assert.equal((await findPeople(own, text, 20)).people.length, 1, text);
  }
});

test('each list of people reads few blocks and no whole table, also on a later page', async () => {
  for (const list of peopleLists) {
    const { people, next } = await listPeople(own, list, undefined, 20);
    assert.equal(people.length, 20, list);
    assert.ok(next, list);
    await assertCheap(list, (connections) => listPeople(connections, list, undefined, 20));
    await assertCheap(`${list}, later`, (connections) => listPeople(connections, list, often / 2 + 1, 20));
  }
});

test('a search for events reads few blocks and no whole table, by each column and on a later page', async () => {
  const filters = [
    {},
    { user_id: 7 },
    { client_id: 'app' },
    { event: 'signed_in' },
    { event: 'no_such_event' },
    { address: '192.0.2.7' },
    { by_user_id: 1 },
    { by_system_user: 'root' },
    { by_user_id: 1, by_system_user: 'root' },
    { by_user_id: 1, event: 'signed_in' },
    { by_system_user: 'nobody', user_id: 7 },
    { request_id: `r${often - 1}` },
    { since: new Date(Date.now() - 60_000), until: new Date() },
    { client_id: 'app', until: new Date(Date.now() - (often / 2) * 1000) },
    { user_id: 7, event: 'signed_in', address: '192.0.2.7' },
    // columns of many events each that never fit together, and a rare one beside a common one
    { user_id: 7, address: '192.0.2.8' },
    { client_id: 'app', event: 'signed_in', user_id: 999 },
    { client_id: 'app', event: 'no_such_event' },
    { event: 'signed_in', client_id: 'other' },
    { user_id: 7, events: ['signed_in', 'consent_given', 'token_revoked'] },
  ];
  for (const filter of filters) {
    const title = JSON.stringify(filter);
    await assertCheap(title, (connections) => findEvents(connections, filter, undefined, 50));
    const later = `${(Date.now() - (often / 2) * 1000) * 1000}-0-0-0`;
    await assertCheap(`${title}, later`, (connections) => findEvents(connections, filter, later, 50));
    const since = new Date(Date.now() - 10_000);
    const forward = { ...filter, since: filter.since ?? since };
    await assertCheap(`${title}, followed`, (connections) => findEventsForward(connections, forward, undefined, 50));
  }
});

test('a page of 5,000 events of one moment reads no more than that moment', async () => {
  await database.query(`insert into audit_events (event, client_id, request_id)
    select 'consent_revoked', 'one-moment', 'm' || n from generate_series(1, 5000) n`);
  for (const filter of [{}, { client_id: 'one-moment' }, { client_id: 'one-moment', event: 'consent_revoked' }]) {
    const { next } = await findEvents(own, filter, undefined, 50);
    await assertCheap(`${JSON.stringify(filter)}, of one moment`, (connections) =>
      findEvents(connections, filter, next, 50),
    );
  }
});

test('events that fit two columns are all found, page by page, however many fit one of them', async () => {
  const filter = { client_id: 'other', event: 'profile_changed' };
  const found: number[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    const { rows, next } = await findEvents(own, filter, after, 10);
    found.push(...rows.map(({ user_id }) => user_id ?? 0));
    after = next;
    pages += 1;
  } while (after !== undefined);
  assert.deepEqual(found, [3, 4003, 7003]);
  assert.ok(pages > 1, 'none of them had to be looked for');
});

test('the grants of an application are listed newest first, a page at a time', async () => {
  await assertCheap('grants', (connections) => listGrantsOfClient(connections, 'app', undefined, 50));
  await assertCheap('grants, later', (connections) => listGrantsOfClient(connections, 'app', String(often / 2), 50));
});

test('a ban is found with its event, without reading other bans', async () => {
  for (const site of ['site-7.example', `site-${often}.example`, 'free.example']) {
    await assertCheap(site, (connections) => findBans(connections, [`www.${site}`, site]));
  }
  const { site_domain, request_id } =
    (await findBans(own, ['www.site-7.example', 'site-7.example']))[0] ?? assert.fail();
  assert.deepEqual([site_domain, request_id], ['site-7.example', 'ban']);
});

test('the people who allow a scope are counted from few blocks, whether all, some, few or none of them do, or all did', async () => {
  const counted = [];
  for (const scope of ['user:name', 'some', 'rare', 'nobodys', 'spent']) {
    await assertCheap(scope, (connections) => countPeopleWithScope(connections, scope));
    counted.push(Object.values(await countPeopleWithScope(own, scope)));
  }
  assert.deepEqual(counted, [
    [1000, true],
    [1000, true],
    [6, false],
    [0, false],
    // of so many expired grants, not all are read
    [0, true],
  ]);
});

test('a person is found by name, spelling, address and subject without reading a whole table', async () => {
  for (const text of ['person-7', 'PERSON-7', 'Person-7@example.com', '7', 'nobody']) {
    await assertCheap(text, (connections) => findUserByName(connections, text));
  }
});
