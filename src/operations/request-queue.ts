import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFairLine, type Waiting } from '../identity/fair-line.ts';
import { prefixOf } from '../lib/network.ts';
import { bytesOf } from './pipelining.ts';

/** The most that can wait, in requests and in bytes of their heads. */
const [maxRequests, maxBytes] = [5000, 2 ** 24];

export interface QueuedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly arrivedAt: number;
}

/**
 * Requests that wait for their start. Networks (/24, of IPv6 /48) take turns. Where no more can wait, the request that would
 * be last is refused, so a network that floods displaces itself only; a request whose connection ends leaves the queue.
 */
export interface RequestQueue {
  length(): number;
  /** `refuse` is called if there is no room for the request, now or when others arrive. */
  push(request: QueuedRequest, refuse: () => void): void;
  shift(): QueuedRequest | undefined;
}

interface Place extends QueuedRequest, Waiting {
  readonly bytes: number;
}

export function createRequestQueue(addressOf: (req: IncomingMessage) => string): RequestQueue {
  const line = createFairLine<Place>();
  let bytes = 0;

  function leave(place: Place): void {
    if (line.remove(place)) bytes -= place.bytes;
  }

  return {
    length: line.length,
    push(request, refuse) {
      const refuseLater = () => {
        leave(place);
        refuse();
      };
      const ofAsker = { bytes: bytesOf(request.req), prefix: prefixOf(addressOf(request.req)) };
      const place: Place = { ...request, ...ofAsker, refuse: refuseLater };
      while (line.length() >= maxRequests || bytes + place.bytes > maxBytes) {
        if (!line.makeRoomFor(place.prefix)) return refuse();
      }
      line.push(place);
      bytes += place.bytes;
      request.res.once('close', () => leave(place));
    },
    shift() {
      const place = line.shift();
      if (place) bytes -= place.bytes;
      return place;
    },
  };
}
