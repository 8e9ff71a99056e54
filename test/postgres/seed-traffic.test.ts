// ci: seeds under traffic
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { applySeed } from '../../src/postgres/migrations.ts';
import { authorizationQuery, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { cheapHash, printer, startLatchkey } from '../support/latchkey.ts';
import { compiled, ownEnvironment } from '../support/program.ts';

const one = await startLatchkey();
const { database, origin, url } = one;
const two = await startLatchkey({ ISSUER: origin }, url);
const address = { connectionString: url };
const directory = mkdtempSync(join(tmpdir(), 'latchkey-seed-traffic-'));
after(() => rmSync(directory, { recursive: true }));

function seed(text: string): string {
  const path = join(directory, 'production.sql');
  writeFileSync(path, text);
  return path;
}

const people = `select register_user(username => 'alice', password => '${cheapHash}', email => 'alice@example.com', name => 'Alice');\n`;
const client = (
  client_id: string,
  name: string,
) => `select register_client(client_id => '${client_id}', client_secret => '${printer.client_secret}',
  name => '${name}', site_domain => '${printer.site_domain}', redirect_uris => array['${printer.redirect_uri}'], scopes => array['user']);\n`;
const others = (name: string) => Array.from({ length: 500 }, (_, at) => client(`client-${at}`, name)).join('');
const whole = (name: string) => people + client(printer.client_id, name) + others(name);

await applySeed(address, seed(whole('First')));
const browser = await signedInBrowser(origin);

/** The requests of an application at both instances until the work is done: none fails, and none sees names of two runs. */
async function underTraffic<T>(work: () => Promise<T>): Promise<{ result: T; slowest: number; requests: number }> {
  let isDone = false;
  let [slowest, requests] = [0, 0];
  const timed = async <A>(request: () => Promise<A>) => {
    const start = performance.now();
    const answer = await request();
    slowest = Math.max(slowest, performance.now() - start);
    requests += 1;
    return answer;
  };
  const traffic = async (first: Record<string, unknown>) => {
    let tokens = first;
    while (!isDone) {
      for (const instance of [one.origin, two.origin]) {
        assert.equal((await timed(() => getUser(instance, tokens['access_token']))).status, 200);
        const answer = await timed(() => refresh(instance, tokens['refresh_token']));
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        tokens = answer.body;
      }
      const { rows } = await database.query('select count(distinct name)::integer as names from clients');
      assert.equal(rows[0].names, 1, 'half a seed');
    }
  };
  const first = [];
  for (let left = 3; left > 0; left -= 1) first.push((await redeem(origin, await obtainCode(browser))).body);
  const settled = work().finally(() => {
    isDone = true;
  });
  const [result] = await Promise.all([settled, ...first.map(traffic)]);
  return { result, slowest, requests };
}

test('requests go on while a seed changes five hundred applications, and none sees half of it [F65]', async (t) => {
  const { slowest, requests } = await underTraffic(() => applySeed(address, seed(whole('Second')), { prune: true }));
  t.diagnostic(`${requests} requests, the slowest ${Math.round(slowest)} ms`);
  assert.ok(requests > 0);
  const { rows } = await database.query('select distinct name from clients');
  assert.deepEqual(rows, [{ name: 'Second' }]);
});

test('a reader with a transaction of a minute ago does not stop a seed, and one that holds a lock makes it try again', async () => {
  const holder = await database.connect();
  await holder.query('begin isolation level repeatable read; select count(*) from clients');
  await applySeed(address, seed(whole('Third')));
  await holder.query(`rollback; begin; select from clients where client_id = 'client-250' for update`);
  const said: string[] = [];
  const seeding = applySeed(address, seed(whole('Fourth')), { announce: (message) => said.push(message) });
  while (said.length === 0) await pause(20);
  await holder.query('rollback');
  holder.release();
  await seeding;
  assert.match(said[0] ?? '', /^production\.sql waits for a lock that another transaction holds/);
});

test('a seed that is killed in the middle has changed nothing, and the next one is applied', async () => {
  const path = seed(`${whole('Fifth')}select pg_sleep(60);`);
  const running = spawn(process.execPath, [compiled('cli.js'), 'seed', path], {
    env: { ...ownEnvironment(), DATABASE_URL: url },
  });
  const ended = new Promise((resolve) => running.once('close', resolve));
  const isSeeding = `select pid from pg_stat_activity where application_name = 'latchkey-migrations' and state = 'active' and wait_event = 'PgSleep' and datname = current_database()`;
  while ((await database.query(isSeeding)).rowCount === 0) await pause(50);
  running.kill('SIGKILL');
  await ended;
  assert.deepEqual((await database.query('select distinct name from clients')).rows, [{ name: 'Fourth' }]);
  // its locks end with it
  const killed = performance.now();
  while ((await database.query(isSeeding)).rowCount !== 0) await pause(50);
  assert.ok(performance.now() - killed < 10_000);
  await applySeed(address, seed(whole('Sixth')));
  assert.deepEqual((await database.query('select distinct name from clients')).rows, [{ name: 'Sixth' }]);
});

test('an application that is pruned in the middle of a flow gets a page or an error, at both instances, and no code [F65]', async () => {
  const { body: tokens } = await redeem(origin, await obtainCode(browser));
  const code = await obtainCode(browser);
  const open = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  await applySeed(address, seed(people + others('Sixth')), { prune: true });
  const allowed = await browser.submit(open, 'id="allow"');
  assert.ok(allowed.status >= 400 && allowed.status < 500, String(allowed.status));
  for (const instance of [one.origin, two.origin]) {
    assert.equal((await redeem(instance, code)).body['error'], 'invalid_client');
    assert.equal((await refresh(instance, tokens['refresh_token'])).body['error'], 'invalid_client');
    assert.equal((await getUser(instance, tokens['access_token'])).status, 401);
  }
  const again = await applySeed(address, seed(whole('Sixth')));
  assert.deepEqual(
    again.changes.map(({ id, changes }) => [id, changes]),
    [[printer.client_id, { disabled: false }]],
  );
  assert.equal((await getUser(origin, tokens['access_token'])).status, 200);
});
