import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';
import { databaseTarget } from '../support/cut-proxy.ts';

/** A TCP proxy on loopback, between Latchkey and a database. */
export interface Proxy {
  /** host and port, as in a URL */
  readonly address: string;
  /** Breaks all connections; new ones lead to this database. */
  leadTo(databaseUrl: string): void;
  /** Breaks all connections, without a goodbye. */
  cut(): void;
  /** Takes no new connections; those that are open stay. */
  refuse(): void;
  close(): void;
}

/** With a delay, nothing that the client says reaches the server before so many milliseconds. */
export async function startProxy(databaseUrl: string, host = '127.0.0.1', delayMs = 0): Promise<Proxy> {
  let target = databaseTarget(databaseUrl);
  // those to Latchkey: the ones to the database may be of another kind, which cannot be reset
  const nearSockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    far.pipe(near);
    setTimeout(() => near.pipe(far), delayMs);
    nearSockets.add(near);
    for (const socket of [near, far]) socket.on('error', () => near.destroy() && far.destroy());
    near.on('close', () => nearSockets.delete(near) && far.destroy());
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const near of nearSockets) near.resetAndDestroy();
  };
  const leadTo = (otherUrl: string) => {
    target = databaseTarget(otherUrl);
    cut();
  };
  const close = () => {
    server.close();
    cut();
  };
  after(close);
  return {
    address: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    leadTo,
    cut,
    refuse: () => void server.close(),
    close,
  };
}
