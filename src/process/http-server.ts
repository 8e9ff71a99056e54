import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { admission } from './admission.ts';
import { drain, watchConnections } from './draining.ts';

export interface HttpServer {
  /** Accepts connections for DRAIN_DELAY, then closes the listener and finishes open requests, up to a deadline. */
  drain(): Promise<void>;
}

export async function serveHttp(deps: Deps, app: RequestListener): Promise<HttpServer> {
  const { config } = deps;
  const server = createHttpServer(config);
  server.on('request', (req, res) => hasBody(req) && res.once('finish', () => closeIfUnread(req)));
  const connections = watchConnections(server, config.tls ? 'secureConnection' : 'connection');
  server.on('request', admission(deps, connections, app));
  await listen(server, config);
  return { drain: () => drain(server, connections, config.drain_delay) };
}

/**
 * Fails early when the port is in use, HOST is no address of this machine, or the certificate cannot be used. It connects
 * to the port instead of listening there, so that no client connects to a server that is not ready.
 */
export async function checkCanListen(config: Config): Promise<void> {
  const server = createHttpServer(config);
  const socket = connect(config.port, config.host);
  const isTaken = await new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  if (isTaken) throw cannotListen(config, { code: 'EADDRINUSE' });
  await listen(server, { ...config, port: 0 });
  await new Promise((resolve) => server.close(resolve));
}

/** With the cipher suites of RFC 9325, and time-outs that close the connections of slow clients. */
function createHttpServer(config: Config): Server {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2000,
  };
  if (!config.tls) return createServer(options);
  const [cert, key] = [config.tls.cert, config.tls.key].map((path) => readFileSync(path));
  const ciphers = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']
    .flatMap((suite) => [`ECDHE-ECDSA-${suite}`, `ECDHE-RSA-${suite}`])
    .join(':');
  const tls = { cert, key, ciphers, honorCipherOrder: true, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } as const;
  try {
    return createTlsServer({ ...options, ...tls });
  } catch (error) {
    throw new Error(`TLS_CERT_FILE, TLS_KEY_FILE: cannot be used: ${(error as Error).message}`);
  }
}

/** How long a client may continue to send a body after it was answered: closing at once could lose the answer [9112 §9.6]. */
const lingerMs = 1000;

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A request may be refused before its body was read. Its connection is closed when the body does not end. */
function closeIfUnread(req: IncomingMessage): void {
  if (req.complete) return;
  setTimeout(() => req.complete || req.socket.destroy(), lingerMs).unref();
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(config, error)));
    server.listen(config.port, config.host, resolve);
  });
}

function cannotListen({ host, port }: Config, { code, message }: { code?: string; message?: string }): Error {
  const advice = code === 'EADDRINUSE' ? 'is in use; stop what uses it or set PORT' : `cannot be used: ${message}`;
  return new Error(`PORT ${port} on HOST ${host} ${advice}`);
}
