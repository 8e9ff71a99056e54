import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from './config.ts';

export interface HttpServer {
  /** Accepts nothing new, finishes what was accepted; at the deadline cuts what is stuck. */
  drain(): Promise<void>;
}

export async function serveHttp(config: Config, app: RequestListener): Promise<HttpServer> {
  const server = createHttpServer(config, app);
  // those that never sent a request, which Node counts among the busy ones
  const silent = new Set<Socket>();
  server.on(config.tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  await listen(server, config);
  return { drain: () => drain(server, silent) };
}

/** Only the suites of RFC 9325; slow requests are cut off, so that a socket cannot be held for nothing. */
function createHttpServer(config: Config, app: RequestListener): Server {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2000,
  };
  if (!config.tls) return createServer(options, app);
  const [cert, key] = [config.tls.cert, config.tls.key].map((path) => readFileSync(path));
  const ciphers = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']
    .flatMap((suite) => [`ECDHE-ECDSA-${suite}`, `ECDHE-RSA-${suite}`])
    .join(':');
  const tls = { cert, key, ciphers, honorCipherOrder: true, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } as const;
  try {
    return createTlsServer({ ...options, ...tls }, app);
  } catch (error) {
    throw new Error(`TLS_CERT_FILE, TLS_KEY_FILE: they cannot be used: ${(error as Error).message}`);
  }
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice =
        error.code === 'EADDRINUSE' ? 'is in use; stop what uses it or set PORT' : `cannot be used: ${error.message}`;
      reject(new Error(`PORT ${port} on HOST ${host} ${advice}`));
    });
    server.listen(port, host, resolve);
  });
}

const [courtesy, deadline] = [500, 7000];

/**
 * A connection that is kept alive is not cut at once: a request may be on its way on it. For a moment each gets an answer
 * that says it is the last; then the idle ones are closed, again and again, as what is under way is finished.
 */
async function drain(server: Server, silent: Set<Socket>): Promise<void> {
  const start = Date.now();
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  const closed = new Promise<true>((resolve) => NetServer.prototype.close.call(server, () => resolve(true)));
  while (!(await Promise.race([closed, pause(50, false)]))) {
    if (Date.now() - start < courtesy) continue;
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
    if (Date.now() - start > deadline) break;
  }
  server.closeAllConnections();
}
