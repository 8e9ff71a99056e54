import bcrypt from 'bcrypt';
import { bcryptWork, isNewBcryptHash, newBcryptHash } from '../password-hashes/bcrypt.ts';
import type { Work } from '../password-hashes/hash-format.ts';
import { isPasswordOf, passwordHashProblem, workOf } from '../password-hashes/password-hash.ts';
import { bcryptCost } from '../values/password-rules.ts';
import type { Asker, HashingQueue } from './hashing-queue.ts';

/** The highest cost of a plain bcrypt hash that is compared: a second. */
const maxCost = 14;

/** Bytes that comparisons may take at a time; a single dearer one runs alone. */
const memoryBudget = 256 * 1024 * 1024;

/** What is stored for a username; for an unknown one there is no hash. */
export interface StoredPassword {
  password_hash: string | null;
  /** the highest cost of any enabled user's plain bcrypt hash */
  highest_cost: number | null;
}

export interface Verdict {
  isRight: boolean;
  /** a new hash of the password, if the stored one is not as ours are */
  renewed?: string;
}

/** Compares and hashes passwords, a few at a time (HashingQueue). */
export interface Passwords {
  /** `kinds` are the beginnings of all hashes of other programs that are in use */
  verify(password: string, stored: StoredPassword, kinds: readonly string[], asker: Asker): Promise<Verdict>;
  hash(password: string, asker: Asker): Promise<string>;
}

/** Tests use a lower cost. */
export function createPasswords(queue: HashingQueue, cost = bcryptCost): Passwords {
  const memory = createMemoryBudget(memoryBudget);

  async function inTurn<T>(asker: Asker, bytes: number, work: () => Promise<T>): Promise<T> {
    const leave = await queue.enter(asker);
    try {
      return await memory.within(bytes, work);
    } finally {
      leave();
    }
  }

  return {
    verify(password, stored, kinds, asker) {
      const ceiling = dearestOf([
        bcryptWork(Math.max(cost, Math.min(stored.highest_cost ?? 0, maxCost))),
        ...worksOf(kinds),
      ]);
      const bytes = Math.max(...ceiling.map((work) => work.memory));
      return inTurn(asker, bytes, () => compare(password, stored.password_hash, ceiling, cost));
    },
    hash: (password, asker) => inTurn(asker, 0, () => newBcryptHash(password, cost)),
  };
}

/**
 * A wrong password takes the same work for every account and for an unknown username, so that timing reveals neither: of each
 * function that is in use as much as its dearest hash takes.
 */
async function compare(
  password: string,
  hash: string | null,
  ceiling: readonly Work[],
  cost: number,
): Promise<Verdict> {
  const bytes = Buffer.from(password);
  if (hash !== null && (await isPasswordOf(hash, bytes))) {
    const isOurs = isNewBcryptHash(hash, password, cost);
    return { isRight: true, ...(!isOurs && { renewed: await newBcryptHash(password, cost) }) };
  }
  const spent = hash === null || passwordHashProblem(hash) ? undefined : workOf(hash);
  for (const work of ceiling) {
    const rest = work.amount - (spent?.family === work.family ? spent.amount : 0);
    if (rest > 0) await work.spend(bytes, rest);
  }
  return { isRight: false };
}

const worksOf = (kinds: readonly string[]): Work[] => kinds.map(workOf).filter((work) => work !== undefined);

/** Of each family the one with the greatest amount. */
function dearestOf(works: readonly Work[]): Work[] {
  const dearest = new Map<string, Work>();
  for (const work of works) {
    const known = dearest.get(work.family);
    if (!known || known.amount < work.amount) dearest.set(work.family, work);
  }
  return [...dearest.values()];
}

/** Lets work run as long as all of it together takes no more than so many bytes, in the order in which it came. */
function createMemoryBudget(budget: number) {
  const waiting: { bytes: number; start(): void }[] = [];
  let taken = 0;

  function startNext(): void {
    for (let next = waiting[0]; next && (taken === 0 || taken + next.bytes <= budget); next = waiting[0]) {
      waiting.shift();
      taken += next.bytes;
      next.start();
    }
  }

  return {
    async within<T>(bytes: number, work: () => Promise<T>): Promise<T> {
      await new Promise<void>((start) => {
        waiting.push({ bytes, start });
        startNext();
      });
      try {
        return await work();
      } finally {
        taken -= bytes;
        startNext();
      }
    },
  };
}

/** Outside the queue: for the start of the process and for commands. */
export function comparePassword(password: string, hash: string): Promise<boolean> {
  return isPasswordOf(hash, Buffer.from(password));
}

/** Run once at start: warns when bcrypt is too fast on this machine, because it would be as fast for an attacker. */
export async function hashingTooFast(): Promise<string | undefined> {
  const start = performance.now();
  // a sixteenth of the work, so that it delays nobody who signs in at once
  await bcrypt.hash('a password of nobody', bcryptCost - 4);
  const ms = Math.round((performance.now() - start) * 16);
  return ms < 100
    ? `bcrypt of cost ${bcryptCost} takes only ${ms} ms on this machine; 100 and more are advised`
    : undefined;
}
