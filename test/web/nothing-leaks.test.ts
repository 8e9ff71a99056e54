import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { dumpDatabase, findSecrets } from '../support/attack.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { startServing } from '../support/process.ts';
import { wholeFlow } from '../support/whole-flow.ts';

const latchkey = await startLatchkey({ TRUST_PROXY: 'true' });
const { origin, database, logged, url } = latchkey;
await registerPeople(database);
await registerPrinter(database);

test('no log line and no row holds a secret, whatever users and clients do wrong [A188] [A275] [A311]', async () => {
  const secrets = await wholeFlow(origin);
  assert.ok(secrets.length > 20 && logged.length > 30);
  assert.deepEqual(findSecrets(logged.join('\n'), secrets), [], 'in the log');
  assert.deepEqual(findSecrets(await dumpDatabase(database), secrets), [], 'in the database');
});

test('a separate process writes no secret to standard output or standard error', async () => {
  const serving = await startServing({ DATABASE_URL: url, LOG_LEVEL: 'trace', TRUST_PROXY: 'true' });
  await database.query('delete from attempts');
  const secrets = await wholeFlow(serving.origin);
  await serving.kill();
  assert.match(serving.output(), /"signed_in"/);
  assert.deepEqual(findSecrets(serving.output(), secrets), []);
});

test('log lines name the path without its query, and are one JSON object each, whatever is sent [A31]', async () => {
  const before = logged.length;
  for (const path of ['/user?x=%0d%0a{"level":30}', '/%1b[2J%0a', '/authorize?client_id=a%0d%0a{%22level%22:60}']) {
    await fetch(origin + path);
  }
  // logged when the connection has the answer, which may be after the client has it
  while (logged.length < before + 3) await pause(5);
  for (const line of logged.slice(before)) {
    assert.match(line, /^\{[^\n]*\}\n$/);
    const { path } = JSON.parse(line) as { path?: string };
    assert.ok(!path?.includes('?'), path);
  }
});

test('a database error is logged without the failed row, and its message is not sent [A35] [A313]', async () => {
  const browser = new Browser(origin);
  const [path, init] = formRequest(await browser.visit('/login'), 'id="login"', { username: 'alice', password });
  const headers = { ...(init.headers as Record<string, string>), 'user-agent': 'an agent nobody may see' };
  await database.query('alter table sessions add constraint no_more check (user_id is null) not valid');
  const answer = await browser.open(path, { ...init, headers });
  await database.query('alter table sessions drop constraint no_more');
  assert.equal(answer.status, 500);
  assert.doesNotMatch(answer.text, /no_more|sessions|constraint|at \S+ \(/);
  const log = logged.join('\n');
  assert.match(log, /no_more/);
  assert.doesNotMatch(log, /an agent nobody may see|Failing row/);
});

test('an error while rendering the error page is answered without its message, whatever NODE_ENV says [A35]', async (t) => {
  // Express itself writes what no error responder could answer
  t.mock.method(console, 'error', () => {});
  let broken = false;
  const config = new Proxy(latchkey.deps.config, {
    get(target, name) {
      if (broken && name === 'demo') throw new Error('a secret in an exception');
      return Reflect.get(target, name);
    },
  });
  const app = createApp({ ...latchkey.deps, config });
  broken = true;
  const server = createServer(app).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/nowhere`);
  assert.ok(answer.status >= 400);
  assert.doesNotMatch(await answer.text(), /secret in an exception|at .*\.ts/);
});
