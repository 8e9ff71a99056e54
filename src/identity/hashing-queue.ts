import { availableParallelism } from 'node:os';
import { OAuthError } from '../lib/errors.ts';
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
  /** Waits for a slot; `memory` is the bytes needed while it is held. Throws if the wait would be too long, or the asker is gone. */
  enter(asker: Asker, memory?: number): Promise<() => void>;
  /** how many wait for a slot */
  waiting(): number;
}

interface WaitingAsker extends Waiting {
  readonly memory: number;
  start(): void;
}

/** How many passwords all processes of this machine hash at a time; one core stays free for other requests. */
export const slotsOfMachine = Math.max(1, availableParallelism() - 1);

/** Bytes that all passwords which are hashed at a time may need together. No hash that is accepted needs more by itself. */
export const memoryOfMachine = 256 * 1024 ** 2;

/** The longest wait of a person who signs in, in milliseconds; on a busy machine that is the time of a few hashes only. */
const acceptedWait = 5000;

/**
 * A hash takes a quarter of a second of a core, and anybody can ask for one. So no request waits longer than `maxWait`
 * milliseconds, and a request that probably would is refused at once. Unknown browsers have a line of their own: while both lines
 * are waiting, known browsers get every other slot.
 */
export function createHashingQueue(slots = slotsOfMachine, maxWait = acceptedWait): HashingQueue {
  const lines = { known: createFairLine<WaitingAsker>(), unknown: createFairLine<WaitingAsker>() };
  let [running, memoryInUse] = [0, 0];
  let isKnownNext = true;
  /** moving average of the milliseconds that a hash takes on this machine */
  let hashDuration = 250;

  const waiting = () => lines.known.length() + lines.unknown.length();
  const fits = (memory: number) => running < slots && (running === 0 || memoryInUse + memory <= memoryOfMachine);

  /**
   * Starts the next in line as soon as there is enough memory for it. Nobody is let past, so that a hash that needs much memory has its
   * turn, too.
   */
  function startNext(): void {
    while (waiting() > 0) {
      const [first, second] = isKnownNext ? [lines.known, lines.unknown] : [lines.unknown, lines.known];
      const line = first.length() > 0 ? first : second;
      const next = line.first();
      if (!next || !fits(next.memory)) return;
      isKnownNext = !isKnownNext;
      line.shift();
      next.start();
    }
  }

  function occupySlot(memory: number): () => void {
    const start = performance.now();
    running += 1;
    memoryInUse += memory;
    return () => {
      hashDuration += (performance.now() - start - hashDuration) / 8;
      running -= 1;
      memoryInUse -= memory;
      startNext();
    };
  }

  async function enter({ isKnown, prefix, gone }: Asker, memory = 0): Promise<() => void> {
    if (gone?.aborted) throw new TooBusyError();
    if (waiting() === 0 && fits(memory)) return occupySlot(memory);
    const [line, other] = isKnown ? [lines.known, lines.unknown] : [lines.unknown, lines.known];
    const ahead = line.length() + Math.min(line.length(), other.length()) + 1;
    const atOnce = memory > 0 ? Math.max(1, Math.min(slots, Math.floor(memoryOfMachine / memory))) : slots;
    // on a busy machine a hash may take longer than anybody waits; but the first in line wait for one to end that has begun
    const isTooLong = ahead > atOnce && (ahead * hashDuration) / atOnce > maxWait;
    if (isTooLong && !line.makeRoomFor(prefix)) throw new TooBusyError();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', refuse);
        line.remove(place);
      };
      const refuse = () => {
        leave();
        reject(new TooBusyError());
        // the asker that left may have been the first, and the next may need less memory
        startNext();
      };
      const start = () => {
        leave();
        resolve(occupySlot(memory));
      };
      const place = { prefix, memory, start, refuse };
      const timer = setTimeout(refuse, maxWait);
      gone?.addEventListener('abort', refuse);
      line.push(place);
    });
  }

  return { enter, waiting };
}

/** Thrown before a password is compared, so the attempt can be repeated. Nobody reads it where the asker is gone. */
export class TooBusyError extends OAuthError {
  constructor(reason = 'too many people are signing in at this moment') {
    const headers = { 'Retry-After': '2' };
    super('temporarily_unavailable', reason, { headers });
  }
}
