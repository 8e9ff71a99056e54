import type { Deps } from '../deps.ts';
import { networkOf } from '../protocol/network.ts';
import { countAttempt, forgetAttempts, type Limit, returnAttempt } from '../store/attempts.ts';

/** Who tries to prove by a password who they are, and from where. */
export interface SignInAttempt {
  username: string;
  address: string;
  /** the browser's own number, if this person has signed in with it before */
  knownBrowser: string | undefined;
}

/** The limits that an attempt counts for. */
export interface SignInLimits {
  /** of this person, cleared when they are let in */
  ofPerson: Limit[];
  /** of everybody who shares the address, where others may be guessing meanwhile */
  ofAddress: Limit[];
}

/**
 * How often a password may be tried: a few times for one account from one address, more often from one address in all,
 * more often still for one account from anywhere. Any of them could lock a person out by a stranger's doing, so a browser
 * in which the person has signed in before has a limit of its own instead, which nobody else can use up.
 */
export function signInLimits({ username, address, knownBrowser }: SignInAttempt): SignInLimits {
  if (knownBrowser !== undefined) {
    const ofPerson = [{ key: `sign-in browser ${knownBrowser} ${username}`, free: 5, pause: 5, longest: 900 }];
    return { ofPerson, ofAddress: [] };
  }
  const network = networkOf(address);
  return {
    ofPerson: [
      { key: `sign-in pair ${username} ${network}`, free: 5, pause: 5, longest: 900 },
      { key: `sign-in account ${username}`, free: 20, pause: 1, longest: 60 },
    ],
    ofAddress: [{ key: `sign-in address ${network}`, free: 50, pause: 5, longest: 900 }],
  };
}

/** Seconds to wait before the password may be looked at. */
export function countSignIn({ database }: Deps, { ofPerson, ofAddress }: SignInLimits): Promise<number> {
  return countAttempt(database, ...ofPerson, ...ofAddress);
}

/** A success clears what concerns the person, and of the address only itself. */
export async function forgetSignIns({ database }: Deps, { ofPerson, ofAddress }: SignInLimits): Promise<void> {
  await forgetAttempts(database, ...ofPerson);
  await returnAttempt(database, ...ofAddress);
}

/** Looks at a password; when there was no time to look at it, the attempt was none. */
export async function underLimits<T>(deps: Deps, limits: SignInLimits, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    await returnAttempt(deps.database, ...limits.ofPerson, ...limits.ofAddress);
    throw error;
  }
}

/** Attempts that come while an address has to wait are worth one row of the audit trail each quarter of an hour. */
export async function isFirstDelay({ database }: Deps, address: string): Promise<boolean> {
  const limit = { key: `delayed ${networkOf(address)}`, free: 1, pause: 900, longest: 900 };
  return (await countAttempt(database, limit)) === 0;
}
