import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A load balancer: one public address for several instances, which take turns request by request. */
export interface Balancer {
  readonly origin: string;
  /** From now on these instances get the requests. */
  use(...origins: string[]): void;
}

export async function startBalancer(): Promise<Balancer> {
  let instances: string[] = [];
  let turn = 0;
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    const instance = instances[turn++ % instances.length] ?? '';
    const { method, headers } = req;
    const sent = request(instance + req.url, { method, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(res);
    });
    sent.on('error', () => res.writeHead(502).end());
    req.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(...origins) {
      instances = origins;
    },
  };
}
