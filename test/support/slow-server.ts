import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { loadConfig } from '../../src/config/config.ts';
import { admission } from '../../src/operations/admission.ts';
import { watchConnections } from '../../src/operations/draining.ts';
import { openDatabase } from '../../src/postgres/database.ts';

// A process that is busy for two milliseconds with each request; health and /quick cost nothing. A request for /pause stops
// it for three seconds when others have arrived, as on a machine that is suspended. Its clock shows this and nothing else: what a
// slow machine adds would make the server refuse more requests, and answer fewer.

const [workMs, pauseMs] = [2, 3000];
let worked = 0;
performance.now = () => worked;

const server = createServer();
const connections = watchConnections(server, 'connection');
const deps = {
  config: loadConfig({}),
  log: pino({ level: 'silent' }),
  database: openDatabase({ connectionString: 'postgres://nobody@127.0.0.1:9/nothing' }),
};
const memory = new Int32Array(new SharedArrayBuffer(4));
const app: RequestListener = (req, res) => {
  if (req.url === '/pause') setImmediate(() => (worked += pauseMs));
  else if (req.url !== '/healthz' && req.url !== '/quick') {
    Atomics.wait(memory, 0, 0, workMs);
    worked += workMs;
  }
  res.setHeader('Content-Length', 2).end('ok');
};
server.on('request', admission(deps, connections, { app, addressOf: () => '192.0.2.1' }));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
