import bcrypt from 'bcrypt';
import { bcryptCost } from '../values/password-rules.ts';
import type { Asker, HashingQueue } from './hashing-queue.ts';

/** The highest cost that a wrong password is made to take, for hashes that were registered with a higher cost than ours: a second. */
const maxCost = 14;

/** What is stored for a username; for an unknown one only `highest_cost` is set. */
export interface StoredPassword {
  password_hash: string | null;
  /** the highest cost of any enabled user's hash */
  highest_cost: number | null;
}

export interface Verdict {
  isRight: boolean;
  /** a new hash of the password, if the stored one has another cost than ours */
  renewed?: string;
}

/** Compares and hashes passwords, a few at a time (HashingQueue). */
export interface Passwords {
  verify(password: string, stored: StoredPassword, asker: Asker): Promise<Verdict>;
  hash(password: string, asker: Asker): Promise<string>;
}

/** Tests use a lower cost. */
export function createPasswords(queue: HashingQueue, cost = bcryptCost): Passwords {
  /** A wrong password takes the same time whatever the cost of the stored hash, and for an unknown username, so that timing reveals neither. */
  async function verify(password: string, { password_hash, highest_cost }: StoredPassword): Promise<Verdict> {
    const target = Math.max(cost, Math.min(highest_cost ?? 0, maxCost));
    const hash = password_hash ?? hashOfNobody(target);
    if ((await bcrypt.compare(password, hash)) && password_hash !== null) {
      const hasOurCost = bcrypt.getRounds(hash) === cost;
      return { isRight: true, ...(hasOurCost ? {} : { renewed: await bcrypt.hash(password, cost) }) };
    }
    // the work of cost c is 2^c: the comparison above and one of each cost from c on make 2^c + 2^c + … + 2^(target-1) = 2^target
    for (let spent = bcrypt.getRounds(hash); spent < target; spent += 1) {
      await bcrypt.compare(password, hashOfNobody(spent));
    }
    return { isRight: false };
  }

  async function inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    const leave = await queue.enter(asker);
    return work().finally(leave);
  }

  return {
    verify: (password, stored, asker) => inTurn(asker, () => verify(password, stored)),
    hash: (password, asker) => inTurn(asker, () => bcrypt.hash(password, cost)),
  };
}

/** Outside the queue: for the start of the process and for commands. */
export function comparePassword(password: string, hash: string): Promise<boolean> {
  return bcrypt.compare(password, hash);
}

/** A valid hash of a random password: bcrypt would refuse an invalid hash at once, without taking any time. */
function hashOfNobody(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$iejSGpZkVCNPxDQ7a107sepAgdqyd10g/owQ9Uwq2Z7nIFE8/Pgoi`;
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
