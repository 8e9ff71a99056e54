import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';
import { expositionType } from '../../telemetry/exposition.ts';
import { listen, metricsAddress } from '../http-server.ts';
import { oneAtATime } from '../pipelining.ts';

/** METRICS_PORT: /metrics and nothing else. Whoever reaches the port may read it. */
export async function serveMetrics(config: Config, text: () => Promise<string>): Promise<void> {
  const address = metricsAddress(config);
  if (!address) return;
  const listener = oneAtATime((req, res) => void answer(req, res, text));
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, listener);
  await listen(server, address);
}

async function answer(req: IncomingMessage, res: ServerResponse, text: () => Promise<string>): Promise<void> {
  // the body, if there is one, is not read
  res.setHeader('Connection', req.headers['content-length'] === undefined ? 'keep-alive' : 'close');
  if (req.url?.split('?', 1)[0] !== '/metrics') return void res.writeHead(404).end();
  if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { Allow: 'GET, HEAD' }).end();
  res.writeHead(200, { 'Content-Type': expositionType, 'Cache-Control': 'no-store' }).end(await text());
}
