// ci: takes the database away, and waits
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { whileAway } from '../../src/operations/connections.ts';
import { waitForDatabase } from '../../src/operations/database-server.ts';
import { DatabaseUnavailableError } from '../../src/postgres/database-errors.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded/start.ts';
import { createDatabase } from '../support/database.ts';
import { authorizationQuery, getUser, obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { migrationNames, seed, startProcess, startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';

/** A server elsewhere, which can be stopped and started. */
const dataDir = join(scratch, 'elsewhere');
const start = () => startEmbeddedPostgres({ dataDir, durable: false, announce: () => {} });
let elsewhere: EmbeddedPostgres = await start();
after(() => elsewhere.stop());
const { host, user, database } = elsewhere.connection;
const addressOf = (name: string, credentials = user) =>
  `postgres://${credentials}@localhost:5432/${name}?host=${encodeURIComponent(host)}`;
const DATABASE_URL = addressOf(database);
const seedFile = writeFile('seed.sql', seed);

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

const status = (url: string) => fetch(url).then((response) => response.status);

test('the server waits for a database that is not up yet, and stops when asked while waiting [F3]', async () => {
  await elsewhere.stop();
  const [patient, told] = await Promise.all([startProcess({ DATABASE_URL }), startProcess({ DATABASE_URL })]);
  await Promise.all([patient.said(/Waiting for the database: connect E/), told.said(/Waiting for the database/)]);
  told.child.kill('SIGTERM');
  assert.equal(await told.exit, 0);
  elsewhere = await start();
  await patient.said(/Latchkey serves/);
  assert.equal(await status(`${patient.origin}/readyz`), 200);
  await patient.kill();
});

test('the server stops waiting for the database after the configured time', async () => {
  const said: string[] = [];
  const nowhere = { connectionString: 'postgres://nobody@127.0.0.1:9/nothing' };
  const waiting = waitForDatabase(nowhere, { announce: (message) => said.push(message), timeoutSeconds: 1 });
  await assert.rejects(waiting, /^Error: DATABASE_URL: the database did not answer within 1 s: connect ECONNREFUSED/);
  assert.equal(said.length, 1);
});

test('a database that answers each try late is waited for no longer', async () => {
  let tries = 0;
  const hangs = async () => {
    tries += 1;
    await pause(900);
    throw new DatabaseUnavailableError('away', { cause: Object.assign(new Error('hangs'), { code: 'ETIMEDOUT' }) });
  };
  await assert.rejects(whileAway(hangs, { announce: () => {}, timeoutSeconds: 2 }), /did not answer within 2 s/);
  assert.equal(tries, 2);
});

test('the server answers 503 while the database is down, and recovers without a restart [F1]', async () => {
  const latchkey = await startServing({ DATABASE_URL, SEED_FILE: seedFile });
  const { origin } = latchkey;
  const browser = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(browser));
  const code = await obtainCode(browser);

  await elsewhere.stop();
  for (const answer of [await redeem(origin, code), await getUser(origin, body['access_token'])]) {
    assert.equal(answer.status, 503);
    assert.equal(answer.body['error'], 'temporarily_unavailable');
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
  }
  // a client that cannot be looked up must not be refused as invalid_client
  assert.equal((await post(`${origin}/token`, { grant_type: 'refresh_token', refresh_token: 'x' })).status, 503);
  assert.equal(await status(`${origin}/authorize?${authorizationQuery()}`), 503);
  // all probes of a second share one answer
  while ((await status(`${origin}/readyz`)) !== 503) await pause(20);
  assert.equal(await status(`${origin}/healthz`), 200);

  elsewhere = await start();
  while ((await status(`${origin}/readyz`)) !== 200) await pause(20);
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  assert.equal((await redeem(origin, code)).status, 200);
  await latchkey.kill();
});

test('the server answers 503 and is not ready while its login is refused or its database is gone', async () => {
  await query(DATABASE_URL, 'create database other');
  const latchkey = await startServing({ DATABASE_URL: addressOf('other'), SEED_FILE: seedFile });
  const { origin } = latchkey;
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  const assertAway = async () => {
    const { status: answered, body: refusal, headers } = await getUser(origin, body['access_token']);
    assert.deepEqual([answered, refusal['error'], headers.get('retry-after')], [503, 'temporarily_unavailable', '5']);
    while ((await status(`${origin}/readyz`)) !== 503) await pause(20);
  };
  const rules = join(dataDir, 'postgres', 'data', 'pg_hba.conf');
  const before = readFileSync(rules, 'utf8');
  writeFileSync(rules, `local other all reject\n${before}`);
  await query(DATABASE_URL, 'select pg_reload_conf()');
  await query(DATABASE_URL, `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'other'`);
  while ((await getUser(origin, body['access_token'])).status === 200) await pause(20);
  await assertAway();
  writeFileSync(rules, before);
  await query(DATABASE_URL, 'select pg_reload_conf()');
  // Postgres reads its rules again in its own time
  while ((await getUser(origin, body['access_token'])).status === 503) await pause(20);
  await query(DATABASE_URL, 'drop database other with (force)');
  // its connections have to find out first that they are dead
  for (let found = 0; found < 3; ) {
    await assertAway();
    found = latchkey.output().match(/database ..other.. does not exist/g)?.length ?? 0;
  }
  assert.match(latchkey.output(), /pg_hba.conf rejects connection/);
  await latchkey.kill();
});

test('a wrong password, user or database name is reported at once, without the password', async () => {
  await query(DATABASE_URL, `create role guest login password 'right-password'`);
  const rules = join(dataDir, 'postgres', 'data', 'pg_hba.conf');
  writeFileSync(rules, `local all guest scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  await query(DATABASE_URL, 'select pg_reload_conf()');
  const wrong: [string, RegExp][] = [
    [addressOf(database, 'guest:wrong-password'), /password authentication failed for user "guest"/],
    [addressOf(database, 'guest'), /password/],
    [addressOf(database, 'nobody'), /role "nobody" does not exist/],
    [addressOf('nothing'), /database "nothing" does not exist/],
    [`${DATABASE_URL}&sslmode=verify-full`, /SSL/],
  ];
  const refusals = wrong.map(async ([url, reason]) => {
    const latchkey = await startProcess({ DATABASE_URL: url });
    assert.equal(await latchkey.exit, 1);
    assert.match(latchkey.output(), /^DATABASE_URL: the database cannot be used: /m);
    assert.match(latchkey.output(), reason);
    assert.doesNotMatch(latchkey.output(), /Waiting|wrong-password/);
  });
  await Promise.all(refusals);
});

test('five processes that start together on an empty database migrate it once, and all serve [F14]', async () => {
  const url = await createDatabase({ migrated: false });
  const env = { DATABASE_URL: url, SEED_FILE: seedFile };
  const five = await Promise.all([1, 2, 3, 4, 5].map(() => startServing(env)));
  const counts = five.flatMap(({ output }) => [...output().matchAll(/Applied (\d+) migrations? \(/g)]);
  const applied = counts.reduce((sum, [, count]) => sum + Number(count), 0);
  assert.equal(applied, migrationNames().length);
  for (const { origin } of five) assert.equal(await status(`${origin}/readyz`), 200);
  assert.deepEqual(await query(url, 'select username from users'), [{ username: 'alice' }]);
  await Promise.all(five.map((latchkey) => latchkey.kill()));
});

test('a database that hangs causes an error within seconds, and no data is lost [F4]', async () => {
  const latchkey = await startServing({ DATABASE_URL, SEED_FILE: seedFile });
  const { origin } = latchkey;
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  const tell = (signal: NodeJS.Signals) => {
    const { pid } = elsewhere;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of [pid, ...children.map(Number)]) process.kill(child, signal);
  };
  tell('SIGSTOP');
  try {
    const begin = performance.now();
    const [user, ready] = await Promise.all([getUser(origin, body['access_token']), status(`${origin}/readyz`)]);
    assert.deepEqual([user.status, user.body['error'], ready], [503, 'temporarily_unavailable', 503]);
    // it gives up after five seconds; a slow machine may need some more, and without the limit nothing would end
    assert.ok(performance.now() - begin < 30_000);
    assert.equal(await status(`${origin}/healthz`), 200);
  } finally {
    tell('SIGCONT');
  }
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  await latchkey.kill();
});
