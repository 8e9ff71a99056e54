/** A limited number of places for work of the same kind. */
export interface FetchSlots {
  /** Resolves with the function that gives the place back, or rejects with SlotsTakenError. */
  take(keys: readonly string[], patienceMs: number): Promise<() => void>;
}

export interface SlotLimits {
  readonly atOnce: number;
  /** how many of these one key may have */
  readonly perKey: number;
  readonly waiting: number;
}

export class SlotsTakenError extends Error {}

interface Waiting {
  readonly keys: readonly string[];
  start(): void;
  refuse(): void;
}

/**
 * Makes places; the next goes to the request whose keys have the fewest: a site or network that is slow keeps few places, and waits
 * behind the others for more. If too many wait, the last one of those that crowd the line most is refused.
 */
export function createFetchSlots({ atOnce, perKey, waiting: maxWaiting }: SlotLimits): FetchSlots {
  const taken = new Map<string, number>();
  const waiting: Waiting[] = [];
  let running = 0;

  const add = (keys: readonly string[], change: 1 | -1) => {
    running += change;
    for (const key of keys) {
      const count = (taken.get(key) ?? 0) + change;
      if (count === 0) taken.delete(key);
      else taken.set(key, count);
    }
  };
  const countsOf = (counts: ReadonlyMap<string, number>, { keys }: Waiting) => keys.map((key) => counts.get(key) ?? 0);
  const most = (counts: ReadonlyMap<string, number>, one: Waiting) => Math.max(...countsOf(counts, one));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

  function startNext(): void {
    while (running < atOnce) {
      const [next] = waiting
        .filter((one) => most(taken, one) < perKey)
        .map((one) => ({ one, load: sum(countsOf(taken, one)) }))
        .sort((first, second) => first.load - second.load);
      if (!next) return;
      add(next.one.keys, 1);
      next.one.start();
    }
  }

  function remove(one: Waiting): void {
    const index = waiting.indexOf(one);
    if (index >= 0) waiting.splice(index, 1);
  }

  function refuseOneOfTooMany(): void {
    if (waiting.length <= maxWaiting) return;
    const crowds = new Map<string, number>();
    for (const key of waiting.flatMap(({ keys }) => keys)) crowds.set(key, (crowds.get(key) ?? 0) + 1);
    const longest = Math.max(...waiting.map((one) => most(crowds, one)));
    waiting.findLast((one) => most(crowds, one) === longest)?.refuse();
  }

  return {
    take(keys, patienceMs) {
      return new Promise((resolve, reject) => {
        const refuse = () => {
          clearTimeout(timer);
          remove(one);
          reject(new SlotsTakenError());
        };
        const start = () => {
          clearTimeout(timer);
          remove(one);
          resolve(() => {
            add(keys, -1);
            startNext();
          });
        };
        const timer = setTimeout(refuse, patienceMs);
        const one = { keys, start, refuse };
        waiting.push(one);
        startNext();
        refuseOneOfTooMany();
      });
    },
  };
}
