interface Waiting {
  /** the beginning of the address that asks */
  readonly prefix: string;
  start(): void;
  refuse(): void;
}

/** Who waits, in rounds: in each round every prefix has one turn. So whoever asks very often waits behind itself only. */
export interface FairLine {
  length(): number;
  push(waiting: Waiting): void;
  shift(): Waiting | undefined;
  remove(waiting: Waiting): void;
  /** Refuses the one that would be last, if that is not the next of this prefix. */
  makeRoomFor(prefix: string): boolean;
}

/** A round in which everybody is new would never end. */
const maxServed = 1000;

export function createFairLine(): FairLine {
  /** in the order in which they are started */
  const places: { round: number; waiting: Waiting }[] = [];
  let currentRound = 0;
  /** those that have had their turn in this round */
  const served = new Set<string>();

  function nextRound(prefix: string): number {
    const last = places.findLast(({ waiting }) => waiting.prefix === prefix);
    if (last) return last.round + 1;
    return served.has(prefix) ? currentRound + 1 : currentRound;
  }

  return {
    length: () => places.length,
    push(waiting) {
      const round = nextRound(waiting.prefix);
      const index = places.findLastIndex((place) => place.round <= round) + 1;
      places.splice(index, 0, { round, waiting });
    },
    shift() {
      const first = places.shift();
      if (first === undefined) return undefined;
      if (first.round > currentRound || served.size === maxServed) served.clear();
      currentRound = first.round;
      served.add(first.waiting.prefix);
      return first.waiting;
    },
    remove(waiting) {
      const index = places.findIndex((place) => place.waiting === waiting);
      if (index >= 0) places.splice(index, 1);
    },
    makeRoomFor(prefix) {
      const last = places.at(-1);
      if (last === undefined || last.round <= nextRound(prefix)) return false;
      last.waiting.refuse();
      return true;
    },
  };
}
