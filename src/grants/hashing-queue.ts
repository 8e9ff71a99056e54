import { availableParallelism } from 'node:os';
import { OAuthError } from '../protocol/errors.ts';
import { createFairLine, type Waiting } from './fair-line.ts';

/** Who asks for a password to be hashed. */
export interface Asker {
  /** the person has signed in with this browser before */
  readonly isKnown: boolean;
  /** the beginning of the address, which neighbours share */
  readonly prefix: string;
  /** aborted when nobody waits for the answer any more */
  readonly gone?: AbortSignal;
}

/** Limits how many passwords are hashed at a time: `enter` waits for a slot and returns the function that frees it. */
export interface HashingQueue {
  /** Throws if the wait would be too long, or the asker is gone. */
  enter(asker: Asker): Promise<() => void>;
  /** how many wait for a slot */
  waiting(): number;
}

interface WaitingAsker extends Waiting {
  start(): void;
}

/** How many passwords all processes of this machine hash at a time; one core stays free for other requests. */
export const slotsOfMachine = Math.max(1, availableParallelism() - 1);

/** What a person who signs in may wait for, in milliseconds; on a busy machine that is the time of a few hashes only. */
const acceptedWait = 5000;

/**
 * A hash takes a quarter of a second of a core, and anybody can ask for one. So no request waits longer than `maxWait`
 * milliseconds, and a request that probably would is refused at once. Unknown browsers have a line of their own: while both lines
 * are waiting, known browsers get every other slot.
 */
export function createHashingQueue(slots = slotsOfMachine, maxWait = acceptedWait): HashingQueue {
  const lines = { known: createFairLine<WaitingAsker>(), unknown: createFairLine<WaitingAsker>() };
  let running = 0;
  let isKnownNext = true;
  /** moving average of the milliseconds that a hash takes on this machine */
  let hashDuration = 250;

  function startNext(): void {
    const [first, second] = isKnownNext ? [lines.known, lines.unknown] : [lines.unknown, lines.known];
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

  async function enter({ isKnown, prefix, gone }: Asker): Promise<() => void> {
    if (gone?.aborted) throw new TooBusyError();
    if (running < slots) {
      running += 1;
      return occupySlot();
    }
    const [line, other] = isKnown ? [lines.known, lines.unknown] : [lines.unknown, lines.known];
    const ahead = line.length() + Math.min(line.length(), other.length()) + 1;
    // on a busy machine a hash may take longer than anybody waits; but the first in line wait for one to end that has begun
    const isTooLong = ahead > slots && (ahead * hashDuration) / slots > maxWait;
    if (isTooLong && !line.makeRoomFor(prefix)) throw new TooBusyError();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', refuse);
        line.remove(waiting);
      };
      const refuse = () => {
        leave();
        reject(new TooBusyError());
      };
      const start = () => {
        leave();
        resolve(occupySlot());
      };
      const waiting = { prefix, start, refuse };
      const timer = setTimeout(refuse, maxWait);
      gone?.addEventListener('abort', refuse);
      line.push(waiting);
    });
  }

  return { enter, waiting: () => lines.known.length() + lines.unknown.length() };
}

/** Thrown before a password is compared, so the attempt can be repeated. Nobody reads it where the asker is gone. */
export class TooBusyError extends OAuthError {
  constructor(reason = 'too many people are signing in at this moment') {
    const headers = { 'Retry-After': '2' };
    super('temporarily_unavailable', reason, { headers });
  }
}
