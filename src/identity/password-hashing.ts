import bcrypt from 'bcrypt';
import { bcryptWork, hashOfNobody, isNewBcryptHash, isWhole, newBcryptHash } from '../lib/password-hashes/bcrypt.ts';
import { isPasswordOf, passwordHashProblem, workOf } from '../lib/password-hashes/password-hash.ts';
import { dearestOfEach, remaining } from '../lib/password-hashes/work.ts';
import { bcryptCost } from '../lib/password-rules.ts';
import type { Asker, HashingQueue } from './hashing-queue.ts';

/** The highest cost of a plain bcrypt hash that is compared: a second. */
const maxCost = 14;

/** The stored password of a username; for an unknown username there is no hash. */
export interface StoredPassword {
  password_hash: string | null;
  /** another program may have accepted more than 72 bytes, of which bcrypt has kept the first */
  is_imported?: boolean;
  /** the highest cost of any enabled user's plain bcrypt hash */
  highest_cost: number | null;
}

export interface Verdict {
  isRight: boolean;
  /** a new hash of the password, if the stored one is not as ours are */
  renewed?: string;
  /** the reason why a hash was not compared: it is not accepted, or its computation failed */
  problem?: string;
}

/** Compares and hashes passwords, a few at a time (HashingQueue). */
export interface Passwords {
  /** `kinds` are the beginnings of all hashes of other programs that are in use */
  verify(password: string, stored: StoredPassword, kinds: readonly string[], asker: Asker): Promise<Verdict>;
  hash(password: string, asker: Asker): Promise<string>;
}

/** Tests use a lower cost. */
export function createPasswords(queue: HashingQueue, cost = bcryptCost): Passwords {
  async function inTurn<T>(asker: Asker, memory: number, work: () => Promise<T>): Promise<T> {
    const leave = await queue.enter(asker, memory);
    return work().finally(leave);
  }

  /**
   * A wrong password takes the same work for every account and for an unknown username, so that timing reveals neither: of each
   * function that is in use as much as its dearest hash takes. A computation that fails is a wrong password, too: as an error it
   * would not count as a guess.
   */
  function verify(...[password, stored, kinds, asker]: Parameters<Passwords['verify']>): Promise<Verdict> {
    const { password_hash, highest_cost, is_imported } = stored;
    const hash = password_hash ?? hashOfNobody(cost);
    let problem = passwordHashProblem(hash)?.sentence;
    const compute = async (work: () => Promise<unknown>) => {
      try {
        return await work();
      } catch (error) {
        problem ??= String(error);
        return false;
      }
    };
    const own = problem === undefined ? workOf(hash) : undefined;
    const ours = bcryptWork(Math.max(cost, Math.min(highest_cost ?? 0, maxCost)));
    const all = dearestOfEach([ours, ...kinds.flatMap((kind) => workOf(kind) ?? [])]);
    const memory = Math.max(...all.map((work) => work.memory), own?.memory ?? 0);
    return inTurn(asker, memory, async () => {
      for (const form of formsOf(password)) {
        const isFit = await compute(() => isPasswordOf(hash, form));
        const isRight = isFit && (is_imported || isWhole(hash, form));
        if (isRight && password_hash !== null) return rightPassword(password, password_hash);
        for (const work of remaining(all, own)) {
          // nobody is left to measure the time
          if (!asker.gone?.aborted) await compute(() => work.spend(form, work.amount));
        }
      }
      return { isRight: false, ...(problem !== undefined && { problem }) };
    });
  }

  async function rightPassword(password: string, hash: string): Promise<Verdict> {
    if (isNewBcryptHash(hash, password, cost)) return { isRight: true };
    return newBcryptHash(password, cost).then(
      (renewed) => ({ isRight: true, renewed }),
      (error: unknown) => ({ isRight: true, problem: String(error) }),
    );
  }

  return {
    verify,
    hash: (password, asker) => inTurn(asker, 0, () => newBcryptHash(password, cost)),
  };
}

/**
 * The password as it was typed; and if it has accents, also with each accented letter as one character where it was two, or the
 * other way round: a keyboard of another system may have written it so when the password was set.
 */
function formsOf(password: string): Buffer[] {
  const composed = password.normalize('NFC');
  const other = password === composed ? password.normalize('NFD') : composed;
  return (other === password ? [password] : [password, other]).map((form) => Buffer.from(form));
}

/** Compares a password outside the queue: for the start of the process and for commands. */
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
