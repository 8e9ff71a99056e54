import type { Server } from 'node:http';
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** The listener is closed when no connection has arrived for `quietMs`, after `maxQuietWaitMs` at the latest. */
const [quietMs, maxQuietWaitMs] = [100, 3000];
/** An open connection may send a request for this long after the listener was closed. */
const graceMs = 500;
/** How long the drain takes at most, beside DRAIN_DELAY; what is unfinished then is closed. */
const drainTimeoutMs = 5500;
/** How much of that time is left for open requests in any case. */
const finishMs = 2000;

export interface Connections {
  /** how many connections have been accepted so far */
  readonly accepted: number;
  /** connections that have not sent a request yet, which Node does not count as idle; with the time they were opened */
  readonly unused: ReadonlyMap<Socket, number>;
}

export function watchConnections(server: Server, opened: 'connection' | 'secureConnection'): Connections {
  const unused = new Map<Socket, number>();
  const connections = { accepted: 0, unused };
  server.on('connection', () => {
    connections.accepted += 1;
  });
  server.on(opened, (socket: Socket) => {
    unused.set(socket, performance.now());
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return connections;
}

/**
 * Drains the server: each connection is closed after its next answer. New connections are accepted for another `delaySeconds`, so that
 * load balancers notice that this instance is not ready; then the listener is closed and open requests are finished.
 */
export async function drain(server: Server, connections: Connections, delaySeconds: number): Promise<void> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  await pause(delaySeconds * 1000);
  const deadline = performance.now() + drainTimeoutMs;
  await emptyAcceptQueue(server, connections, deadline);
  const closed = new Promise<true>((resolve) => NetServer.prototype.close.call(server, () => resolve(true)));
  await closeConnections(server, connections, { closed, deadline });
}

/** Waits until the accept queue is empty, because the kernel resets the connections in it when the listener is closed. */
async function emptyAcceptQueue(server: Server, connections: Connections, deadline: number): Promise<void> {
  const start = performance.now();
  let [seen, since] = [connections.accepted, start];
  while (performance.now() - since < quietMs && performance.now() - start < maxQuietWaitMs) {
    await pause(10);
    if (connections.accepted !== seen) [seen, since] = [connections.accepted, performance.now()];
  }
  await Promise.race([knock(server), pause(deadline - finishMs - performance.now())]);
  // Under steady traffic there is no quiet moment. Each turn of the event loop accepts one connection, so after a turn that
  // accepted none the queue is empty.
  do {
    seen = connections.accepted;
    await turn();
  } while (connections.accepted !== seen && performance.now() < deadline);
}

/**
 * Connects to this server, says nothing and waits until it is closed: connections are accepted in their order, so all that
 * came before have been accepted, too. Workers have a quiet moment also when the primary process, which accepts for them,
 * gets no turn.
 */
async function knock(server: Server): Promise<void> {
  const { address, port } = server.address() as AddressInfo;
  const socket = connect(port, address);
  await new Promise((resolve) => socket.on('error', resolve).on('close', resolve).end());
}

/**
 * Closes all connections. An idle connection is not closed at once, since a request may be on its way: first all have `graceMs`. Then
 * idle ones are closed repeatedly, as requests finish. At the deadline the rest is closed.
 */
async function closeConnections(
  server: Server,
  { unused }: Connections,
  { closed, deadline }: { closed: Promise<true>; deadline: number },
): Promise<void> {
  const start = performance.now();
  while (!(await Promise.race([closed, pause(50, false)]))) {
    const now = performance.now();
    if (now - start < graceMs) continue;
    server.closeIdleConnections();
    for (const [socket, since] of unused) if (now - since > graceMs) socket.destroy();
    if (now > deadline) break;
  }
  server.closeAllConnections();
}
