import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { isPublicAddress } from '../../src/lib/public-address.ts';

export interface WebSite {
  answer: RequestListener;
  /** the requests that arrived: method and host with path */
  readonly requests: string[];
  /** the addresses of this machine to which somebody connected */
  readonly contacts: string[];
  /** the addresses among them that nobody outside may reach */
  privateContacts(): string[];
}

export function certificate(name: 'site' | 'stranger'): { key: Buffer; cert: Buffer } {
  const home = process.env['LATCHKEY_TEST_NETWORK'] ?? '';
  return { key: readFileSync(join(home, `${name}-key.pem`)), cert: readFileSync(join(home, `${name}.pem`)) };
}

/** Every https site of a network of its own (test/support/network.ts), and every http site there, to count who comes. */
export async function startWebSite(): Promise<WebSite> {
  const site: WebSite = {
    answer: (_req, res) => res.writeHead(404).end(),
    requests: [],
    contacts: [],
    privateContacts: () => site.contacts.filter((address) => !isPublicAddress(address)),
  };
  const listener: RequestListener = (req, res) => {
    site.requests.push(`${req.method} ${req.headers.host}${req.url}`);
    site.answer(req, res);
  };
  const servers = [
    createServer(certificate('site'), listener).listen(443, '::'),
    createHttpServer(listener).listen(80, '::'),
  ];
  for (const server of servers) {
    server.on('connection', ({ localAddress = '' }: Socket) => site.contacts.push(localAddress.replace('::ffff:', '')));
  }
  await Promise.all(servers.map((server) => once(server, 'listening')));
  after(() => servers.map((server) => [server.close(), server.closeAllConnections()]));
  return site;
}
