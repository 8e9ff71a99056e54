import bcrypt from 'bcrypt';
import type { HashingQueue } from './hashing-queue.ts';

/** About a quarter of a second of one core, each: what makes a stolen table of hashes expensive to try out. */
const standardCost = 12;
/** What a wrong password may cost at most, for the sake of hashes that were registered dearer than ours: a second. */
const dearestCost = 14;

/** What is known of an account before its password is looked at; of a name that nobody has, only the last. */
export interface StoredPassword {
  password_bcrypt: string | null;
  /** the cost of the dearest hash that anybody signs in with */
  highest_cost: number | null;
}

export interface Verdict {
  isRight: boolean;
  /** the same password at today's cost, where the stored hash has another */
  renewed?: string;
}

/** Compares and hashes passwords, in turn with everybody else. */
export interface Passwords {
  verify(password: string, stored: StoredPassword, isKnown: boolean): Promise<Verdict>;
  hash(password: string, isKnown: boolean): Promise<string>;
}

/** Tests use a cheaper cost than ours. */
export function createPasswords(queue: HashingQueue, cost = standardCost): Passwords {
  /** A no takes the same work whatever the stored hash costs, and where there is none: it must not tell who exists. */
  async function verify(password: string, { password_bcrypt, highest_cost }: StoredPassword): Promise<Verdict> {
    const target = Math.max(cost, Math.min(highest_cost ?? 0, dearestCost));
    const hash = password_bcrypt ?? hashOfNobody(target);
    if ((await bcrypt.compare(password, hash)) && password_bcrypt !== null) {
      const isOfToday = bcrypt.getRounds(hash) === cost;
      return { isRight: true, ...(isOfToday ? {} : { renewed: await bcrypt.hash(password, cost) }) };
    }
    // of cost c: 2^c and then 2^c + 2^(c+1) + … make the 2^target
    for (let spent = bcrypt.getRounds(hash); spent < target; spent += 1) {
      await bcrypt.compare(password, hashOfNobody(spent));
    }
    return { isRight: false };
  }

  async function inTurn<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
    const leave = await queue.enter(isKnown);
    return work().finally(leave);
  }

  return {
    verify: (password, stored, isKnown) => inTurn(isKnown, () => verify(password, stored)),
    hash: (password, isKnown) => inTurn(isKnown, () => bcrypt.hash(password, cost)),
  };
}

/** For a start and for commands, which keep nobody waiting. */
export function comparePassword(password: string, hash: string): Promise<boolean> {
  return bcrypt.compare(password, hash);
}

/** A valid hash, of a random password nobody kept: one that is none would be answered at once. */
function hashOfNobody(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$iejSGpZkVCNPxDQ7a107sepAgdqyd10g/owQ9Uwq2Z7nIFE8/Pgoi`;
}

/** Once, at start: on a machine that hashes too fast, so does who has stolen the table. Undefined when it is slow enough. */
export async function hashingTooFast(): Promise<string | undefined> {
  const start = performance.now();
  await bcrypt.hash('a password of nobody', standardCost);
  const ms = Math.round(performance.now() - start);
  return ms < 100
    ? `bcrypt of cost ${standardCost} takes only ${ms} ms on this machine; 100 and more are advised`
    : undefined;
}

/** Why a password cannot be set; undefined when it can. */
export function passwordProblem(password: string): 'password_too_short' | 'password_too_long' | undefined {
  if ([...password].length < 8) return 'password_too_short';
  return Buffer.byteLength(password) > 72 ? 'password_too_long' : undefined;
}
