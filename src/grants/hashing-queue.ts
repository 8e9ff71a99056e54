import { availableParallelism } from 'node:os';
import { OAuthError } from '../protocol/errors.ts';

/** Limits how many passwords are hashed at a time: `enter` waits for a slot and returns the function that frees it. */
export interface HashingQueue {
  /** `isKnown`: the person has signed in with this browser before. Throws if the wait would be too long. */
  enter(isKnown: boolean): Promise<() => void>;
  /** how many wait for a slot */
  waiting(): number;
}

/** For all processes of this machine together; one core stays free for other requests. */
export const slotsOfMachine = Math.max(1, availableParallelism() - 1);

interface Waiting {
  start(): void;
}

/**
 * A hash takes a quarter of a second of a core, and anybody can ask for one. So no request waits longer than `maxWait`
 * milliseconds, and a request that would is refused at once. Unknown browsers have a queue of their own: while both queues
 * are waiting, known browsers get every other slot.
 */
export function createHashingQueue(slots = slotsOfMachine, maxWait = 2000): HashingQueue {
  const queues = { known: [] as Waiting[], unknown: [] as Waiting[] };
  let running = 0;
  let isKnownNext = true;
  /** moving average of the milliseconds that a hash takes on this machine */
  let hashDuration = 250;

  function startNext(): void {
    const [first, second] = isKnownNext ? [queues.known, queues.unknown] : [queues.unknown, queues.known];
    isKnownNext = !isKnownNext;
    const next = first.shift() ?? second.shift();
    if (next) next.start();
    else running -= 1;
  }

  function occupySlot(): () => void {
    const start = performance.now();
    return () => {
      hashDuration += (performance.now() - start - hashDuration) / 8;
      startNext();
    };
  }

  async function enter(isKnown: boolean): Promise<() => void> {
    if (running < slots) {
      running += 1;
      return occupySlot();
    }
    const [queue, other] = isKnown ? [queues.known, queues.unknown] : [queues.unknown, queues.known];
    const ahead = queue.length + Math.min(queue.length, other.length) + 1;
    if ((ahead * hashDuration) / slots > maxWait) throw new TooBusyError();
    return new Promise((resolve, reject) => {
      const expire = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new TooBusyError());
      };
      const timer = setTimeout(expire, maxWait);
      const start = () => {
        clearTimeout(timer);
        resolve(occupySlot());
      };
      const waiting = { start };
      queue.push(waiting);
    });
  }

  return { enter, waiting: () => queues.known.length + queues.unknown.length };
}

/** Thrown before a password is compared, so the attempt can be repeated. */
export class TooBusyError extends OAuthError {
  constructor() {
    const headers = { 'Retry-After': '2' };
    super('temporarily_unavailable', 'too many people are signing in at this moment', { headers });
  }
}
