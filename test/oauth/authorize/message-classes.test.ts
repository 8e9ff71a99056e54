import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createApp } from '../../../src/app.ts';
import { serviceOf } from '../../../src/web/served-app.ts';
import { startLatchkey } from '../../support/latchkey.ts';

const { deps } = await startLatchkey();

test('Node makes requests and answers with the prototypes of the app, and Express leaves them as they are', async () => {
  const app = createApp(deps);
  const before: unknown[] = [];
  const prototypes = (req: IncomingMessage, res: ServerResponse) => [req, res].map(Object.getPrototypeOf);
  const server = createServer(serviceOf(app).classes, (req, res) => {
    before.push(...prototypes(req, res));
    app(req, res);
    assert.deepEqual(prototypes(req, res), [app.request, app.response]);
    assert.equal((req as unknown as { app: unknown }).app, app);
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`);
  assert.equal(answer.status, 200);
  assert.ok(before[0] === app.request && before[1] === app.response);
});
