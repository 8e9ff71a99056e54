// ci: waits for processes
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createHashingQueue } from '../../src/identity/hashing-queue.ts';
import { credentialKey } from '../../src/lib/secrets.ts';
import { findActiveAccessToken } from '../../src/oauth/resource/access-tokens.sql.ts';
import { startMetrics } from '../../src/operations/monitoring/metrics.ts';
import { writeFamilies } from '../../src/telemetry/exposition.ts';
import { countedFamilies, counter } from '../../src/telemetry/metric.ts';
import { Browser } from '../support/browser.ts';
import { createDatabase } from '../support/database.ts';
import { basic, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { startWithPrinter } from '../support/latchkey.ts';
import { Scrape, scrape, scrapeUntil } from '../support/metrics.ts';
import { startProcess, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';

const document = readFileSync(new URL('../../src/operations/watching.md', import.meta.url), 'utf8');

const { origin, database, deps } = await startWithPrinter();
const address = `${origin}/metrics`;
let alice: Browser;

before(async () => {
  alice = await signedInBrowser(origin);
});

/** Waits until each series has grown by so much, since a request may be counted after its answer has arrived. */
async function assertGrowth(act: () => Promise<unknown>, expected: Record<string, number>): Promise<void> {
  const before = await scrape(address);
  await act();
  const growth = (found: Scrape) => Object.keys(expected).map((one) => found.value(one) - before.value(one));
  await scrapeUntil(address, (found) => isDeepStrictEqual(growth(found), Object.values(expected)));
}

const answered = (route: string, method: string, status: number) =>
  `latchkey_http_requests_total{route="${route}",method="${method}",status="${status}"}`;

test('each answer is counted by the pattern of its address, its method and status, and timed', async () => {
  const ask = async () => {
    for (let time = 0; time < 3; time += 1) await getUser(origin, 'lk_at_unknown');
  };
  await assertGrowth(ask, {
    [answered('/user', 'GET', 401)]: 3,
    'latchkey_http_request_duration_seconds_count{route="/user",method="GET"}': 3,
    'latchkey_http_request_duration_seconds_bucket{route="/user",method="GET",le="+Inf"}': 3,
    'latchkey_refusals_total{error="invalid_token",reason="access token malformed"}': 3,
  });
});

test('tokens are counted by the grant that issued them, passwords by their outcome', async () => {
  const exchangeAndRefresh = async () => {
    const { body } = await redeem(origin, await obtainCode(alice));
    await refresh(origin, body['refresh_token']);
  };
  await assertGrowth(exchangeAndRefresh, {
    'latchkey_events_total{event="tokens_issued"}': 1,
    'latchkey_events_total{event="tokens_refreshed"}': 1,
  });
  const right = 'latchkey_password_checks_total{outcome="right"}';
  const wrong = 'latchkey_password_checks_total{outcome="wrong"}';
  await assertGrowth(() => guess(1), { [right]: 0, [wrong]: 1 });
  await assertGrowth(() => signedInBrowser(origin), { [right]: 1, [wrong]: 0 });
});

/** Tries so many wrong passwords. */
async function guess(times: number): Promise<void> {
  const browser = new Browser(origin);
  let page = await browser.visit('/login');
  for (let time = 0; time < times; time += 1) {
    page = await browser.submit(page, 'id="login"', { username: 'nobody', password: 'not this one' });
  }
}

test('a delayed sign-in is counted as limited', async () => {
  await database.query('delete from attempts');
  await guess(8);
  await scrapeUntil(address, (found) => found.value('latchkey_password_checks_total{outcome="limited"}') > 0);
  await database.query('delete from attempts');
});

test('requests that share a statement are counted by its size', async () => {
  const { body } = await redeem(origin, await obtainCode(alice));
  const key = credentialKey(String(body['access_token']));
  const series = (part: string) => `latchkey_shared_statement_requests_${part}`;
  // asked in one turn of the event loop, they are one statement
  await assertGrowth(() => Promise.all(Array.from({ length: 20 }, () => findActiveAccessToken(database, key))), {
    [`${series('count')}{statement="find_active_access_token"}`]: 1,
    [`${series('sum')}{statement="find_active_access_token"}`]: 20,
    [`${series('bucket')}{statement="find_active_access_token",le="16"}`]: 0,
    [`${series('bucket')}{statement="find_active_access_token",le="64"}`]: 1,
  });
});

test('nothing that a request contains becomes a label [A422]', async () => {
  const paths = ['/nowhere-else', '/account/applications/evil-client', '/errors/evil-code', '/assets/evil.css'];
  for (const path of paths) await fetch(`${origin}${path}?evil=query`);
  await fetch(`${origin}/token`, { method: 'POST', headers: { authorization: basic('evil-client', 'evil-secret') } });
  await fetch(`${origin}/user`, { method: 'PROPFIND' });
  const unknown = answered('unknown', 'other', 404);
  const { text } = await scrapeUntil(
    address,
    (found) => found.value(unknown) > 0 && found.value(answered('/user', 'other', 405)) > 0,
  );
  assert.doesNotMatch(text, /evil|nowhere|PROPFIND|127\.0\.0\.1|alice|photo-printer/);
  assert.match(text, /route="\/account\/applications\/:client_id"/);
});

test('a label with too many values is counted together, and one with quotes is written as the format wants it', () => {
  const many = counter('test_total', 'A test.', { value: ['known'] });
  for (let value = 0; value < 3000; value += 1) many.add(`${value}`);
  many.add('known');
  const found = countedFamilies().find(({ name }) => name === 'test_total');
  const counts = new Map(found?.samples.map(({ labels, value }) => [labels['value'], value]));
  assert.deepEqual([counts.size, counts.get('known'), counts.get('other')], [1001, 1, 2001]);
  const samples = [{ labels: { value: 'a "b" \\c' }, value: 1 }];
  const text = writeFamilies([{ name: 'test', type: 'gauge', help: 'A test.', across: 'sum', samples }]);
  assert.equal(text, '# HELP test A test.\n# TYPE test gauge\ntest{value="a \\"b\\" \\\\c"} 1\n');
});

test('the oldest access token that the sweep has left, and the partitions of the audit trail, are read by an index', async () => {
  await database.query('select keep_audit_partitions(400)');
  // as after an hour in which the clock was ten years ahead
  await database.query(
    `select create_audit_partition(date_trunc('month', now() at time zone 'UTC') + interval '10 years')`,
  );
  await database.query(
    `insert into overdue_audit_partitions values ('audit_events_2001_01', now() - interval '3 days')`,
  );
  await redeem(origin, await obtainCode(alice));
  const oldest = 'latchkey_oldest_expired_token_seconds';
  assert.equal((await scrape(address)).value(oldest), 0);
  await database.query(
    `update access_tokens
     set expires_at = now() - interval '3 days'
     where access_token_sha256 = (select access_token_sha256 from access_tokens order by 1 limit 1)`,
  );
  // the database is asked every few seconds only
  const found = await scrapeUntil(address, (one) => one.value(oldest) > 0);
  assert.ok(Math.abs(found.value(oldest) - 3 * 86_400) < 600);
  assert.ok(found.value('latchkey_audit_partitions') >= 4);
  const end = found.value('latchkey_audit_partitions_end_seconds') - Date.now() / 1000;
  assert.ok(end > 60 * 86_400 && end < 130 * 86_400, 'that of the coming months');
  assert.ok(Math.abs(found.value('latchkey_audit_overdue_seconds') - 3 * 86_400) < 600);
  await database.query('delete from overdue_audit_partitions');
  await database.query(
    `update access_tokens set expires_at = now() + interval '1 hour' where expires_at < now() - interval '2 days'`,
  );
});

test('while the database is slow, metrics do not wait for it, and lack what only the database knows', async () => {
  await redeem(origin, await obtainCode(alice));
  await database.query(
    `alter table access_tokens rename to all_tokens;
     create view access_tokens as select all_tokens.* from all_tokens, (select pg_sleep(60)) as slow`,
  );
  try {
    // each has a limit for statements; this one is refused when it is reached, after four seconds
    const statement = database.query('select from access_tokens').then(
      () => 'the statement',
      () => 'the statement',
    );
    const write = await startMetrics(deps.config, { database, hashingQueue: createHashingQueue() });
    const first = await Promise.race([write(), statement]);
    assert.notEqual(first, 'the statement');
    const found = new Scrape(first);
    assert.equal(found.value('latchkey_database_up'), 0);
    assert.ok(found.value('process_resident_memory_bytes') > 0 && !found.types.has('latchkey_audit_partitions'));
    await statement;
  } finally {
    // the statement of the metrics, which began later, holds the view for a little longer
    await database.query(
      `set local lock_timeout = '4s'; drop view access_tokens; alter table all_tokens rename to access_tokens`,
    );
  }
  await scrapeUntil(address, (one) => one.value('latchkey_database_up') === 1);
});

/** The rows of the table in the documentation: names with labels. */
const documented = [...document.matchAll(/^\| `([a-z_]+)` \| ((?:`[a-z]+`(?:, )?)*) ?\|/gm)].map(
  ([, name = '', labels = '']) => [name, [...labels.matchAll(/[a-z]+/g)].flat().sort()] as const,
);

test('the documented labels are those that are served', async () => {
  const found = await scrape(address);
  const labels = found.labels();
  const served = documented.filter(([name]) => found.types.has(name));
  assert.ok(served.length > 15);
  for (const [name, expected] of served) {
    const isHistogram = found.types.get(name) === 'histogram';
    const actual = labels.get(isHistogram ? `${name}_count` : name) ?? new Set();
    assert.deepEqual([...actual].sort(), expected, name);
  }
});

test('METRICS_PORT serves the sums of all workers, none of them lost, and nothing else [A422]', async () => {
  const METRICS_PORT = String(await findFreePort());
  // a counter of its own is there only if tracing is on
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await findFreePort()}`;
  const env = { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT, WEB_CONCURRENCY: '2' };
  const latchkey = await startServing({ DATABASE_URL: await createDatabase(), ...env });
  const port = `http://127.0.0.1:${METRICS_PORT}`;
  const health = answered('/healthz', 'GET', 200);
  const ask = async (times: number) => {
    const close = { headers: { connection: 'close' } };
    for (let time = 0; time < times; time += 1) await fetch(`${latchkey.origin}/healthz`, close);
  };
  await ask(30);
  // of a database that answers too late they lack what only it knows
  const all = (one: Scrape) =>
    one.value(health) === 30 && one.value('latchkey_processes') === 3 && one.value('latchkey_database_up') === 1;
  const found = await scrapeUntil(`${port}/metrics`, all);
  const names = documented.map(([name]) => name);
  assert.deepEqual([...found.types.keys()].sort(), names.sort(), 'the documented metrics');

  assert.equal((await fetch(`${latchkey.origin}/metrics`)).status, 404, 'the main port');
  for (const path of ['/', '/healthz', '/token', '/metrics/', '//metrics', '/METRICS']) {
    assert.equal((await fetch(port + path)).status, 404, path);
  }
  assert.equal((await fetch(`${port}/metrics`, { method: 'POST', body: 'x' })).status, 405);
  assert.equal((await fetch(`${port}/metrics`, { method: 'HEAD' })).status, 200);

  // the counts of a worker that dies stay: a sum that went down would be taken for a restart
  await latchkey.said(/"path":"\/healthz"/);
  const [, worker] = /"pid":(\d+).*"path":"\/healthz"/.exec(latchkey.output()) ?? [];
  process.kill(Number(worker), 'SIGKILL');
  await latchkey.said(/a worker process ended; starting another/);
  await scrapeUntil(`${port}/metrics`, (one) => one.value('latchkey_processes') === 3);
  await ask(6);
  await scrapeUntil(`${port}/metrics`, (one) => one.value(health) === 36);
  await latchkey.kill();
});

test('without METRICS_PORT every worker answers with the sums', async () => {
  const latchkey = await startServing({ DATABASE_URL: await createDatabase(), WEB_CONCURRENCY: '2' });
  await scrapeUntil(`${latchkey.origin}/metrics`, (found) => found.value('latchkey_processes') === 3);
  for (let time = 0; time < 6; time += 1) {
    const response = await fetch(`${latchkey.origin}/metrics`, { headers: { connection: 'close' } });
    assert.match(await response.text(), /^latchkey_processes 3$/m);
  }
  await latchkey.kill();
});

test('a start that fails after METRICS_PORT was opened ends, with each number of processes', async () => {
  for (const WEB_CONCURRENCY of ['1', '2']) {
    const METRICS_PORT = String(await findFreePort());
    const seed = writeFile(`slow-${WEB_CONCURRENCY}.sql`, 'select pg_sleep(1);');
    const env = { METRICS_PORT, WEB_CONCURRENCY, SEED_FILE: seed };
    const DATABASE_URL = await createDatabase();
    const latchkey = await startProcess({ DATABASE_URL, ...env });
    // past the check of the ports
    const sleeping = "select from pg_stat_activity where datname = $1 and query like '%pg_sleep(1)%'";
    const name = new URL(DATABASE_URL).pathname.slice(1);
    while ((await database.query(sleeping, [name])).rowCount === 0) await pause(20);
    const other = createServer().listen(Number(new URL(latchkey.origin).port), '127.0.0.1');
    await once(other, 'listening');
    assert.equal(await latchkey.exit, 1);
    assert.match(latchkey.output(), /PORT \d+ on HOST 127\.0\.0\.1 is in use/);
    await assert.rejects(fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`));
    other.close();
  }
});

test('a METRICS_PORT that is taken refuses the start with its name [A422]', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const latchkey = await startProcess({ DATABASE_URL: await createDatabase(), METRICS_PORT: String(port) });
  assert.equal(await latchkey.exit, 1);
  assert.match(latchkey.output(), new RegExp(`^METRICS_PORT ${port} on HOST 127.0.0.1 is in use[^\\n]+\\n$`));
  other.close();
});
