import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { http } from '../lib/node-http.ts';

/** The statuses with which Node answers what is not HTTP, by the code of its error; 400 for other codes. */
const statuses: ReadonlyMap<unknown, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** A connection with the answer that is due on it, for which Node has no public name. */
type Connection = Duplex & { _httpMessage?: ServerResponse | null };

/**
 * Refuses what is not HTTP and closes its connection, as Node does by itself, but after the answers to the requests before it: the
 * client would take the refusal for the answer to the first of them [9112 §9.3.2].
 */
export function refuseMalformedRequests(server: Server): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    // what follows is not HTTP either
    if (refused.has(connection)) return;
    refused.add(connection);
    refuseInTurn(connection, statuses.get(error.code) ?? 400);
  });
}

function refuseInTurn(connection: Connection, status: number): void {
  const due = connection._httpMessage;
  // a complete request is not the malformed one
  if (due?.req.complete) return void due.once('finish', () => refuseInTurn(connection, status));
  if (!connection.writable) return;
  if (due?.headersSent) return void connection.destroy();
  const refusal = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
  connection.end(refusal, () => connection.destroy());
}
