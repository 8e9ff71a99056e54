// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase } from '../support/database.ts';
import { authorizationQuery, codeIn, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';

const noPrlimit = spawnSync('prlimit', ['--version']).status === 0 ? false : 'there is no prlimit on this machine';

test('instances are replaced one after the other, and no user has to sign in again [F13]', async () => {
  const port = String(await findFreePort());
  const environment = { DATABASE_URL: await createDatabase(), SEED_FILE: writeFile('two.sql', seed), PORT: port };
  const first = await startServing(environment);
  const { origin } = first;
  const browser = await signedInBrowser(origin);
  const consent = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  const { body } = await redeem(origin, await obtainCode(browser));
  const code = await obtainCode(browser);

  first.child.kill('SIGTERM');
  assert.equal(await first.exit, 0);
  const second = await startServing(environment);
  assert.equal(second.origin, origin);
  // the page of the first instance, the session, the code and the tokens are all good at the second
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
  assert.equal((await redeem(origin, code)).status, 200);
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  assert.equal((await refresh(origin, body['refresh_token'])).status, 200);
  await second.kill();
});

/** Waits for status 200; until its descriptors are free again, the server closes connections without an answer. */
async function untilAnswered(url: string): Promise<void> {
  const ask = () => fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
  while ((await ask())?.status !== 200) await pause(20);
}

test('the server survives when file descriptors run out [F23]', { skip: noPrlimit }, async () => {
  const latchkey = await startServing({ DATABASE_URL: await createDatabase() });
  const { child, origin } = latchkey;
  spawnSync('prlimit', ['--pid', String(child.pid), '--nofile=80:80']);
  const sockets = Array.from({ length: 200 }, () =>
    connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {}),
  );
  // it closes those for which it has no descriptor
  await Promise.race(sockets.map((socket) => once(socket, 'close')));
  for (const socket of sockets) socket.destroy();
  for (const path of ['/healthz', '/readyz']) await untilAnswered(`${origin}${path}`);
  assert.equal(child.exitCode, null);
  await latchkey.kill();
});

/** Until no statement has run for half a second. */
async function untilIdle(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (let quiet = 0; quiet < 5; await pause(100)) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`,
    );
    quiet = rowCount === 0 ? quiet + 1 : 0;
  }
  await client.end();
}

test('the first page is shown also when the server has no descriptor left for a file [F23]', {
  skip: noPrlimit,
}, async () => {
  const DATABASE_URL = await createDatabase();
  const { child, origin, kill } = await startServing({ DATABASE_URL });
  // what a start leaves to do may hold the connection that the page needs
  await untilIdle(DATABASE_URL);
  const used = new Set(readdirSync(`/proc/${child.pid}/fd`).map(Number));
  let free = 0;
  while (used.has(free)) free += 1;
  // one for the connection of the browser
  spawnSync('prlimit', ['--pid', String(child.pid), `--nofile=${free + 1}:${free + 1}`]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const path of ['/login', '/', '/errors/invalid_grant', '/nowhere']) {
    const [response] = await once(get(origin + path, { agent }), 'response');
    let page = '';
    for await (const chunk of response) page += chunk;
    assert.equal(response.statusCode, path === '/nowhere' ? 404 : 200);
    assert.match(page, /<\/html>/);
  }
  agent.destroy();
  await kill();
});
