import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { http } from '../lib/node-http.ts';
import { admission, type Service } from './admission.ts';
import { drain, watchConnections } from './draining.ts';
import { refuseMalformedRequests } from './malformed-requests.ts';
import { oneAtATime } from './pipelining.ts';
import { reloadCertificate, tlsOptions } from './tls.ts';

export interface HttpServer {
  /** Accepts connections for DRAIN_DELAY, then closes the listener and finishes open requests, up to a deadline. */
  drain(): Promise<void>;
}

export async function serveHttp(deps: Deps, service: Service): Promise<HttpServer> {
  const { config, log } = deps;
  const { classes } = service;
  const ports = addresses(config).map((address) => ({ address, server: createHttpServer(address, config, classes) }));
  const secure = ports.map(({ server }) => server).filter((server) => server instanceof TlsServer);
  if (config.tls) reloadCertificate(secure, config.tls, log);
  const serving: HttpServer[] = [];
  for (const { server, address } of ports) serving.push(await serveAt(server, address, deps, service));
  return { drain: async () => void (await Promise.all(serving.map((server) => server.drain()))) };
}

async function serveAt(server: Server, address: Address, deps: Deps, service: Service): Promise<HttpServer> {
  const { config } = deps;
  server.on('request', (req, res) => hasBody(req) && res.once('finish', () => closeIfUnread(req)));
  const connections = watchConnections(server, config.tls ? 'secureConnection' : 'connection');
  server.on('request', oneAtATime(admission(deps, connections, service)));
  refuseMalformedRequests(server);
  await listen(server, address);
  return { drain: () => drain(server, connections, config.drain_delay) };
}

export interface Address {
  host: string;
  port: number;
  /** the variable that has the port */
  variable: 'PORT' | 'MTLS_PORT' | 'METRICS_PORT';
}

function addresses({ host, port, mtls_port }: Config): Address[] {
  const main: Address = { host, port, variable: 'PORT' };
  return mtls_port === undefined ? [main] : [main, { host, port: mtls_port, variable: 'MTLS_PORT' }];
}

export function metricsAddress({ host, metrics_port: port }: Config): Address | undefined {
  return port === undefined ? undefined : { host, port, variable: 'METRICS_PORT' };
}

/**
 * Fails early when a port is in use, HOST is not an address of this machine, or the certificate cannot be used. It connects to the port
 * instead of listening there, so that no client connects to a server that is not ready.
 */
export async function checkCanListen(config: Config): Promise<void> {
  const metrics = metricsAddress(config);
  for (const address of [...addresses(config), ...(metrics ? [metrics] : [])]) {
    const server = createHttpServer(address, config);
    const socket = connect(address.port, address.host);
    const isTaken = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isTaken) throw cannotListen(address, { code: 'EADDRINUSE' });
    await listen(server, { ...address, port: 0 });
    await new Promise((resolve) => server.close(resolve));
  }
}

/**
 * Makes a server. It closes the connections of slow clients by time-outs. Only the port for certificates requests them, since a browser
 * would prompt its user [8705 §5]; the connection proves that the client has the key, the rest is checked with its registration.
 */
function createHttpServer({ variable }: Address, { tls }: Config, classes: ServerOptions = {}): Server {
  const options = {
    ...classes,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2000,
  };
  if (!tls) return http.createServer(options);
  const requestCert = variable === 'MTLS_PORT';
  try {
    const certificates = { ...tlsOptions(tls), requestCert, rejectUnauthorized: false };
    return createTlsServer({ ...options, ...certificates, handshakeTimeout: 10_000 });
  } catch (error) {
    throw new Error(`TLS_CERT_FILE, TLS_KEY_FILE: cannot be used: ${(error as Error).message}`);
  }
}

/** How long a client may continue to send a body after it was answered: closing at once could lose the answer [9112 §9.6]. */
const lingerMs = 1000;

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Closes the connection of a request that was refused before its body was read, if the body does not end. */
function closeIfUnread(req: IncomingMessage): void {
  if (req.complete) return;
  setTimeout(() => req.complete || req.socket.destroy(), lingerMs).unref();
}

export function listen(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(address, error)));
    server.listen(address.port, address.host, resolve);
  });
}

function cannotListen(
  { host, port, variable }: Address,
  { code, message }: { code?: string; message?: string },
): Error {
  const advice =
    code === 'EADDRINUSE' ? `is in use; stop what uses it or set ${variable}` : `cannot be used: ${message}`;
  return new Error(`${variable} ${port} on HOST ${host} ${advice}`);
}
