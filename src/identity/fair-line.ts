/** Who waits for a turn, and what it takes of the room for those who wait. */
export interface Waiting {
  /** the beginning of the address that asks */
  readonly prefix: string;
  refuse(): void;
}

/**
 * Who waits, in rounds: in each round every prefix has one turn. So whoever asks very often waits behind itself only. Each
 * operation costs the same however many wait.
 */
export interface FairLine<Item extends Waiting> {
  length(): number;
  push(item: Item): void;
  /** whose turn is next */
  first(): Item | undefined;
  shift(): Item | undefined;
  /** Removes an item; false if it does not wait. */
  remove(item: Item): boolean;
  /** Drops the last in line, unless a newcomer from `prefix` would stand behind it; then false. */
  makeRoomFor(prefix: string): boolean;
}

/** A place in two lists: among those of its round, and among those of its prefix. */
interface Place<Item> {
  readonly item: Item;
  readonly round: number;
  ofRound: Link<Item>;
  ofPrefix: Link<Item>;
}

interface Link<Item> {
  before?: Place<Item> | undefined;
  after?: Place<Item> | undefined;
}

interface List<Item> {
  first?: Place<Item> | undefined;
  last?: Place<Item> | undefined;
}

type Kind = 'ofRound' | 'ofPrefix';

/** How many prefixes have had their turn at most, until a round begins anew: one in which everybody is new would never end. */
const maxServed = 1000;

export function createFairLine<Item extends Waiting>(): FairLine<Item> {
  const places = new Map<Item, Place<Item>>();
  const [rounds, prefixes] = [new Map<number, List<Item>>(), new Map<string, List<Item>>()];
  let [currentRound, lastRound] = [0, 0];
  /** the keys that have had their turn in this round */
  const served = new Set<string>();

  function nextRound(prefix: string): number {
    const last = prefixes.get(prefix)?.last;
    if (last) return last.round + 1;
    return served.has(prefix) ? currentRound + 1 : currentRound;
  }

  function remove(item: Item): boolean {
    const place = places.get(item);
    if (!place) return false;
    places.delete(item);
    unlink(rounds, place.round, place, 'ofRound');
    unlink(prefixes, item.prefix, place, 'ofPrefix');
    while (lastRound > currentRound && !rounds.has(lastRound)) lastRound -= 1;
    return true;
  }

  return {
    length: () => places.size,
    push(item) {
      const place = { item, round: nextRound(item.prefix), ofRound: {}, ofPrefix: {} };
      places.set(item, place);
      append(rounds, place.round, place, 'ofRound');
      append(prefixes, item.prefix, place, 'ofPrefix');
      lastRound = Math.max(lastRound, place.round);
    },
    first() {
      if (places.size === 0) return undefined;
      let round = currentRound;
      while (!rounds.has(round)) round += 1;
      return rounds.get(round)?.first?.item;
    },
    shift() {
      if (places.size === 0) return undefined;
      const isRoundOver = !rounds.has(currentRound);
      while (!rounds.has(currentRound)) currentRound += 1;
      const item = rounds.get(currentRound)?.first?.item;
      if (item === undefined) return undefined;
      if (isRoundOver || served.size === maxServed) served.clear();
      served.add(item.prefix);
      remove(item);
      return item;
    },
    remove,
    makeRoomFor(prefix) {
      const last = rounds.get(lastRound)?.last;
      if (last === undefined || last.round <= nextRound(prefix)) return false;
      last.item.refuse();
      return true;
    },
  };
}

function append<Key, Item>(lists: Map<Key, List<Item>>, key: Key, place: Place<Item>, kind: Kind): void {
  const list = lists.get(key);
  if (!list) return void lists.set(key, { first: place, last: place });
  place[kind].before = list.last;
  if (list.last) list.last[kind].after = place;
  list.last = place;
}

function unlink<Key, Item>(lists: Map<Key, List<Item>>, key: Key, place: Place<Item>, kind: Kind): void {
  const list = lists.get(key);
  const { before, after } = place[kind];
  if (before) before[kind].after = after;
  else if (list) list.first = after;
  if (after) after[kind].before = before;
  else if (list) list.last = before;
  if (list && !list.first) lists.delete(key);
}
