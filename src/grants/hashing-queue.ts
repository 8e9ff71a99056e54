import { availableParallelism } from 'node:os';
import { OAuthError } from '../protocol/errors.ts';

/** Passwords are hashed a few at a time: who wants to waits for a slot here, and gives it back. */
export interface HashingQueue {
  /** `isKnown`: the person has signed in with this browser before. Throws when the wait would be too long. */
  enter(isKnown: boolean): Promise<() => void>;
}

/** For all processes together: sign-ins wait for each other before they wait for everybody else, so one core stays free. */
export const slotsOfMachine = Math.max(1, availableParallelism() - 1);

interface Waiting {
  start(): void;
}

/**
 * A hash costs a quarter of a second of a core, and anybody can ask for one. So nobody waits longer than `patience`
 * milliseconds, and whom that would not be enough for is told at once. Strangers can fill no more than their own lane:
 * where both lanes are waiting, known browsers get every other slot.
 */
export function createHashingQueue(slots = slotsOfMachine, patience = 2000): HashingQueue {
  const lanes = { known: [] as Waiting[], strangers: [] as Waiting[] };
  let running = 0;
  let isTurnOfKnown = true;
  /** milliseconds a hash takes on this machine, as measured lately */
  let pace = 250;

  function startNext(): void {
    const [first, second] = isTurnOfKnown ? [lanes.known, lanes.strangers] : [lanes.strangers, lanes.known];
    isTurnOfKnown = !isTurnOfKnown;
    const next = first.shift() ?? second.shift();
    if (next) next.start();
    else running -= 1;
  }

  function lendSlot(): () => void {
    const start = performance.now();
    return () => {
      pace += (performance.now() - start - pace) / 8;
      startNext();
    };
  }

  async function enter(isKnown: boolean): Promise<() => void> {
    if (running < slots) {
      running += 1;
      return lendSlot();
    }
    const [lane, other] = isKnown ? [lanes.known, lanes.strangers] : [lanes.strangers, lanes.known];
    const ahead = lane.length + Math.min(lane.length, other.length) + 1;
    if ((ahead * pace) / slots > patience) throw new TooBusyError();
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        lane.splice(lane.indexOf(waiting), 1);
        reject(new TooBusyError());
      };
      const timer = setTimeout(giveUp, patience);
      const start = () => {
        clearTimeout(timer);
        resolve(lendSlot());
      };
      const waiting = { start };
      lane.push(waiting);
    });
  }

  return { enter };
}

/** Thrown before a password was looked at, so the attempt can be repeated as it is. */
export class TooBusyError extends OAuthError {
  constructor() {
    const headers = { 'Retry-After': '2' };
    super('temporarily_unavailable', 'too many people are signing in at this moment', { headers });
  }
}
