import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';
import { databaseTarget } from '../support/cut-proxy.ts';

/** A TCP proxy on loopback, between Latchkey and a database. */
export interface Proxy {
  /** host and port, as in a URL */
  readonly address: string;
  /** Breaks all connections, without a goodbye. */
  cut(): void;
  close(): void;
}

/** With a delay, nothing that the client says reaches the server before so many milliseconds. */
export async function startProxy(databaseUrl: string, host = '127.0.0.1', delayMs = 0): Promise<Proxy> {
  const target = databaseTarget(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    far.pipe(near);
    setTimeout(() => near.pipe(far), delayMs);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => near.destroy() && far.destroy()).on('close', () => sockets.delete(socket));
    }
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const close = () => {
    server.close();
    cut();
  };
  after(close);
  return { address: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`, cut, close };
}
