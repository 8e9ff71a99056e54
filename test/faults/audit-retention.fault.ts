import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { startTraffic } from './traffic.ts';

const seconds = Number(process.env['FAULT_SECONDS'] ?? 60);

test('old audit events are dropped under traffic by two instances, one of them killed, while a transaction reads for a minute [F35]', async (t) => {
  const DATABASE_URL = await createDatabase();
  const env = {
    DATABASE_URL,
    SEED_FILE: writeFile('people.sql', seed),
    ISSUER: 'http://127.0.0.1',
    AUDIT_RETENTION: '400',
  };
  const start = async () => startServing({ ...env, PORT: String(await findFreePort()) });
  const client = async () => {
    const connected = new pg.Client(DATABASE_URL);
    connected.on('error', () => {});
    await connected.connect();
    return connected;
  };
  const first = await start();
  const reader = await client();
  const old = 'create table audit_events_2001_01 (like audit_events including defaults including constraints)';
  await reader.query(old);
  await reader.query(
    "insert into audit_events_2001_01 (event, request_id, happened_at) values ('old', 'r', '2001-01-15')",
  );
  await reader.query('alter table audit_events detach partition audit_events_first');
  await reader.query(
    "alter table audit_events attach partition audit_events_2001_01 for values from ('2001-01-01') to ('2001-02-01')",
  );
  await reader.query("insert into overdue_audit_partitions values ('audit_events_2001_01', now() - interval '1 day')");
  await reader.query('begin; select count(*) from audit_events');
  const traffic = await startTraffic(first.origin, 2);
  let longest = 0;
  const watcher = await client();
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    // each start drops what is due; two do so at the same moment, and one of them is killed
    const [one, other] = await Promise.all([start(), start()]);
    one?.child.kill('SIGKILL');
    const begun = performance.now();
    await watcher.query("insert into audit_events (event, request_id) values ('timed', 'r')");
    longest = Math.max(longest, performance.now() - begun);
    await traffic.flows(2);
    await other?.kill();
  }
  const kept = await reader.query("select from audit_events where event = 'old'");
  assert.equal(kept.rowCount, 1, 'what is being read stays');
  await reader.query('commit');
  const last = await start();
  await last.said(/audit events older than AUDIT_RETENTION were dropped/);
  await traffic.flows(4);
  await traffic.stop();
  t.diagnostic(
    `answers: ${JSON.stringify(Object.fromEntries(traffic.ledger.answers))}; longest wait of an event ${Math.round(longest)} ms`,
  );
  assert.deepEqual([...traffic.ledger.answers.keys()].sort(), [200, 302]);
  await traffic.ledger.verify(first.origin);
  assert.equal((await reader.query("select from audit_events where event = 'old'")).rowCount, 0);
  await Promise.all([reader.end(), watcher.end()]);
});
