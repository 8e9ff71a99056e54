import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import { OAuthError } from '../protocol/errors.ts';

/** About a quarter of a second of one core, each: what makes a stolen table of hashes expensive to try out. */
const cost = 12;

/** Sign-ins wait for each other before they wait for everybody else: one core stays free for tokens. */
const atOnce = Math.max(1, availableParallelism() - 1);
const longestQueue = 50;

let running = 0;
const queue: (() => void)[] = [];

export function comparePassword(password: string, hash: string): Promise<boolean> {
  return inTurn(() => bcrypt.compare(password, hash));
}

/** A valid hash, of a random password nobody kept, of the same cost as real ones: an unknown name must not answer sooner. */
const nobody = `$2b$${cost}$iejSGpZkVCNPxDQ7a107sepAgdqyd10g/owQ9Uwq2Z7nIFE8/Pgoi`;

/** Whether it is the password. A no takes as long for a name without a hash, and for one with a cheap hash from elsewhere. */
export function tryPassword(password: string, hash = nobody): Promise<boolean> {
  return inTurn(async () => {
    if (await bcrypt.compare(password, hash)) return hash !== nobody;
    // of cost c: 2^c and then 2^c + 2^(c+1) + … make the 2^12 of today's cost
    for (let spent = bcrypt.getRounds(hash); spent < cost; spent += 1) {
      await bcrypt.compare(password, nobody.replace(`$${cost}$`, `$${String(spent).padStart(2, '0')}$`));
    }
    return false;
  });
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => bcrypt.hash(password, cost));
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (queue.length >= longestQueue) {
    throw new OAuthError('temporarily_unavailable', 'too many people are signing in at this moment', {
      headers: { 'Retry-After': '5' },
    });
  }
  if (running >= atOnce) await new Promise<void>((go) => queue.push(go));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Once, at start: on a machine that hashes too fast, so does who has stolen the table. Undefined when it is slow enough. */
export async function hashingTooFast(): Promise<string | undefined> {
  const start = performance.now();
  await hashPassword('a password of nobody');
  const ms = Math.round(performance.now() - start);
  return ms < 100 ? `bcrypt of cost ${cost} takes only ${ms} ms on this machine; 100 and more are advised` : undefined;
}

/** Why a password cannot be set; undefined when it can. */
export function passwordProblem(password: string): 'password_too_short' | 'password_too_long' | undefined {
  if ([...password].length < 8) return 'password_too_short';
  return Buffer.byteLength(password) > 72 ? 'password_too_long' : undefined;
}
