import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import type { Database } from '../../src/postgres/database.ts';
import { registerPrinter } from '../support/latchkey.ts';

export interface Server {
  readonly origin: string;
  answer(listener: RequestListener): void;
}

/** The server of an application or an API, which answers once its address is known. */
export async function openServer(): Promise<Server> {
  // keeps connections as Latchkey does, so that none is closed under the next request of a test
  const server = createServer({ keepAliveTimeout: 65_000 }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, answer: (listener) => void server.on('request', listener) };
}

/** The server of an application, registered as the photo printer. */
export async function openApplication(
  database: Database,
  callback: string,
  changes: Parameters<typeof registerPrinter>[1] = {},
): Promise<Server & { redirect_uri: string }> {
  const server = await openServer();
  const redirect_uri = server.origin + callback;
  await registerPrinter(database, { site_domain: 'localhost', redirect_uris: [redirect_uri], ...changes });
  return { ...server, redirect_uri };
}

/** Serves a library that answers a Request with a Response. */
export function listenerOf(respond: (request: Request) => Promise<Response>): RequestListener {
  return async (req, res) => {
    const body = req.method === 'POST' ? { body: await text(req) } : {};
    const headers = Object.entries(req.headersDistinct).map(
      ([name, values]) => [name, String(values)] as [string, string],
    );
    const request = new Request(`http://${req.headers.host}${req.url}`, {
      method: req.method ?? 'GET',
      headers,
      ...body,
    });
    const response = await respond(request);
    res.writeHead(response.status, [...response.headers].flat());
    res.end(await response.text());
  };
}
