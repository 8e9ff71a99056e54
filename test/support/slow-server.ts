import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { admission } from '../../src/process/admission.ts';
import { watchConnections } from '../../src/process/draining.ts';

// A process that is busy for two milliseconds with each request, on a fast machine as on a slow one; health costs nothing.

const server = createServer();
const connections = watchConnections(server, 'connection');
const deps = {
  config: loadConfig({}),
  log: pino({ level: 'silent' }),
  database: openDatabase({ connectionString: 'postgres://nobody@127.0.0.1:9/nothing' }),
};
const clock = new Int32Array(new SharedArrayBuffer(4));
const app = admission(deps, connections, (req, res) => {
  if (req.url !== '/healthz') Atomics.wait(clock, 0, 0, 2);
  res.setHeader('Content-Length', 2).end('ok');
});
server.on('request', app);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
