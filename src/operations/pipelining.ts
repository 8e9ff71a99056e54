import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A client may send requests without waiting for the answers [9112 §9.3.2]. Of one connection, one request is under way at a
 * time: while others wait behind it, nothing is read from the socket. So what waits is what a single read brought, 64 KiB at
 * most; but that may be two thousand requests, which take a few KiB each. So there is a limit for all connections of a server
 * together, in requests and in bytes of their headers. A connection that goes beyond it is closed: its client has to repeat
 * what was not answered [9112 §9.3.2].
 */
const [maxWaiting, maxWaitingBytes] = [5000, 2 ** 24];

/** The amount that waits, of one connection or of all. */
interface Amount {
  requests: number;
  bytes: number;
}

/** Passes on the requests of each connection one after the other. A request that comes alone costs one comparison. */
export function oneAtATime(listener: RequestListener): RequestListener {
  const total: Amount = { requests: 0, bytes: 0 };
  const connections = new WeakMap<Socket, Amount>();

  function watch(socket: Socket): Amount {
    const waiting = { requests: 0, bytes: 0 };
    connections.set(socket, waiting);
    // Node resumes it after each request whose body was read
    socket.on('resume', () => waiting.requests > 0 && socket.pause());
    socket.once('close', () => add(waiting, -waiting.requests, -waiting.bytes));
    return waiting;
  }

  function add(waiting: Amount, requests: number, bytes: number): void {
    for (const amount of [waiting, total]) {
      amount.requests += requests;
      amount.bytes += bytes;
    }
  }

  function wait(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    // closed in the middle of what was read: Node hands over the rest of it all the same
    if (socket.destroyed) return;
    const waiting = connections.get(socket) ?? watch(socket);
    const bytes = bytesOf(req);
    add(waiting, 1, bytes);
    if (total.requests > maxWaiting || total.bytes > maxWaitingBytes) return void socket.destroy();
    socket.pause();
    res.once('socket', () => {
      // the answer before this one has failed: nobody reads this one, and `close` takes away all that waits
      if (socket.destroyed) return;
      add(waiting, -1, -bytes);
      if (waiting.requests === 0) socket.resume();
      process.nextTick(listener, req, res);
    });
  }

  // an answer gets the socket when the answers before it have been sent
  return (req, res) => (res.socket === null ? wait(req, res) : listener(req, res));
}

/** The approximate size of the head of a request. */
export function bytesOf({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, url.length);
}
