import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** Milliseconds without a new connection after which none is expected any more, and how long such a moment is waited for. */
const [quiet, patience] = [100, 3000];
/** Milliseconds in which a connection may still send its request, and in which the whole must be done. */
const [courtesy, deadline] = [500, 5500];

/** What is to be known about the connections of a server when it stops. */
export interface Connections {
  /** how many there have been */
  readonly accepted: number;
  /** those that have not sent a request yet, which Node counts among the busy ones; and since when */
  readonly silent: ReadonlyMap<Socket, number>;
}

export function watchConnections(server: Server, opened: 'connection' | 'secureConnection'): Connections {
  const silent = new Map<Socket, number>();
  const connections = { accepted: 0, silent };
  server.on('connection', () => {
    connections.accepted += 1;
  });
  server.on(opened, (socket: Socket) => {
    silent.set(socket, performance.now());
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return connections;
}

/**
 * From now on every answer is the last one on its connection. New connections are accepted for so many seconds, in which
 * balancers notice that this instance is not ready any more; then the listener is closed, and what was accepted finished.
 */
export async function drain(server: Server, connections: Connections, delay: number): Promise<void> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  await pause(delay * 1000);
  const end = performance.now() + deadline;
  await emptyQueue(connections, end);
  const closed = new Promise<true>((resolve) => NetServer.prototype.close.call(server, () => resolve(true)));
  await finish(server, connections, closed, end);
}

/** Whoever still waits to be accepted when the listener closes is reset by the kernel, so it is closed when nobody does. */
async function emptyQueue(connections: Connections, end: number): Promise<void> {
  const start = performance.now();
  let [seen, since] = [connections.accepted, start];
  while (performance.now() - since < quiet && performance.now() - start < patience) {
    await pause(10);
    if (connections.accepted !== seen) [seen, since] = [connections.accepted, performance.now()];
  }
  // under steady traffic at a moment when the queue is empty at least: each turn of the event loop accepts one of it
  do {
    seen = connections.accepted;
    await turn();
  } while (connections.accepted !== seen && performance.now() < end);
}

/**
 * A connection that is kept alive is not cut at once: a request may be on its way on it. Each is left a moment; then the
 * idle ones are closed, again and again, as what is under way is finished. At the deadline what is stuck is cut.
 */
async function finish(server: Server, { silent }: Connections, closed: Promise<true>, end: number): Promise<void> {
  const start = performance.now();
  while (!(await Promise.race([closed, pause(50, false)]))) {
    const now = performance.now();
    if (now - start < courtesy) continue;
    server.closeIdleConnections();
    for (const [socket, since] of silent) if (now - since > courtesy) socket.destroy();
    if (now > end) break;
  }
  server.closeAllConnections();
}
