// ci: kills and waits
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { createCredential } from '../../src/lib/secrets.ts';
import { listPending } from '../../src/operations/database-server.ts';
import { DatabaseUnavailableError } from '../../src/postgres/database-errors.ts';
import { openHosts } from '../../src/postgres/hosts.ts';
import { createDatabase } from '../support/database.ts';
import { basic, getUser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { seed, startProcess, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { startProxy } from './proxy.ts';

const direct = new URL(await createDatabase());
const { address: good } = await startProxy(direct.href);
/** Accepts connections and never says a word. */
const silentServer = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
await once(silentServer, 'listening');
after(() => silentServer.close());
const silent = `127.0.0.1:${(silentServer.address() as AddressInfo).port}`;
const refusing = `127.0.0.1:${await findFreePort()}`;
const address = (...hosts: string[]) =>
  `postgres://${direct.username}:hunter2,hunter2@${hosts.join(',')}${direct.pathname}?target_session_attrs=read-write`;

for (const [what, host] of [
  ['hangs', silent],
  ['refuses connections', refusing],
  ['has a name that nobody knows', 'nowhere.invalid:5432'],
] as const) {
  test(`of two hosts, one that ${what} is passed over, by migrations, server, workers and commands [F43]`, async () => {
    const latchkey = await startServing({ DATABASE_URL: address(host, good), WEB_CONCURRENCY: '2' });
    for (let count = 0; count < 4; count += 1) {
      const { status } = await fetch(`${latchkey.origin}/readyz`, { headers: { connection: 'close' } });
      assert.equal(status, 200);
    }
    await latchkey.kill();
    assert.doesNotMatch(latchkey.output(), /hunter2/);
    assert.deepEqual(await listPending({ connectionString: address(good, host) }), []);
  });
}

test('an IPv6 address is a host like any other [F43]', async (t) => {
  const six = await startProxy(direct.href, '::1').catch(() => undefined);
  if (six === undefined) return t.skip('this machine has no IPv6');
  assert.deepEqual(await listPending({ connectionString: address(refusing, six.address) }), []);
});

test('while no host can be used, the server waits, and says why of each, without the password [F43]', async () => {
  const latchkey = await startProcess({ DATABASE_URL: address(refusing, silent) });
  await latchkey.said(new RegExp(`Waiting for the database: ${refusing}: connect ECONNREFUSED.*, ${silent}: \\w+`));
  await latchkey.kill();
  assert.doesNotMatch(latchkey.output(), /hunter2/);
});

test('a misspelt target_session_attrs is refused at the start, without the URL [F43]', async () => {
  const DATABASE_URL = address(good, silent).replace('read-write', 'readwrite');
  const latchkey = await startProcess({ DATABASE_URL });
  assert.equal(await latchkey.exit, 1);
  const sentence = 'DATABASE_URL: target_session_attrs must be any, read-write or primary, since this server writes';
  assert.match(latchkey.output(), new RegExp(`^${sentence}$`, 'm'));
  assert.doesNotMatch(latchkey.output(), /hunter2|readwrite/);
});

test('a refusal is not believed while no host can be asked whether another one has taken over [F41]', async () => {
  const { address: near, close } = await startProxy(direct.href);
  const hosts = openHosts({ connectionString: address(near, refusing) }, () => {});
  await hosts.confirm(performance.now());
  close();
  await assert.rejects(hosts.confirm(performance.now()), DatabaseUnavailableError);
});

test('an application is not told that a token is unknown while no host can be asked, neither at /user nor at the address of GitHub [F41]', async () => {
  const proxy = await startProxy(direct.href);
  const env = { DATABASE_URL: address(proxy.address, refusing), SEED_FILE: writeFile('people.sql', seed) };
  const { origin, kill } = await startServing(env);
  const access_token = createCredential('access_token');
  const headers = { authorization: basic(), 'content-type': 'application/json' };
  const body = JSON.stringify({ access_token });
  const ask = async () => [
    (await getUser(origin, access_token)).status,
    (await fetch(`${origin}/applications/photo-printer/token`, { method: 'POST', headers, body })).status,
  ];
  assert.deepEqual(await ask(), [401, 404]);
  proxy.refuse();
  assert.deepEqual(await ask(), [503, 503]);
  await kill();
});
