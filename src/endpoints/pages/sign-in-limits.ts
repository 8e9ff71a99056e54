import type { Request } from 'express';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../protocol/network.ts';
import { countAttempt, forgetAttempts, type Limit, returnAttempt } from '../../store/attempts.ts';
import { addressOf } from '../request-log.ts';
import { type Account, knownBrowser } from './known-browser.ts';

/** One attempt to prove by a password who somebody is, and the limits that it counts for. */
export interface SignInAttempt {
  isKnown: boolean;
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
export function signInAttempt(deps: Deps, req: Request, account: Account): SignInAttempt {
  const { username } = account;
  const browser = knownBrowser(deps, req, account);
  if (browser !== undefined) {
    const ofPerson = [{ key: `sign-in browser ${browser} ${username}`, free: 5, pause: 5, longest: 900 }];
    return { isKnown: true, ofPerson, ofAddress: [] };
  }
  const address = networkOf(addressOf(req));
  return {
    isKnown: false,
    ofPerson: [
      { key: `sign-in pair ${username} ${address}`, free: 5, pause: 5, longest: 900 },
      { key: `sign-in account ${username}`, free: 20, pause: 1, longest: 60 },
    ],
    ofAddress: [{ key: `sign-in address ${address}`, free: 50, pause: 5, longest: 900 }],
  };
}

/** Seconds to wait before the password may be looked at. */
export function countSignIn({ database }: Deps, { ofPerson, ofAddress }: SignInAttempt): Promise<number> {
  return countAttempt(database, ...ofPerson, ...ofAddress);
}

/** A success clears what concerns the person, and of the address only itself. */
export async function forgetSignIns({ database }: Deps, { ofPerson, ofAddress }: SignInAttempt): Promise<void> {
  await forgetAttempts(database, ...ofPerson);
  await returnAttempt(database, ...ofAddress);
}

/** Looks at a password; when there was no time to look at it, the attempt was none. */
export async function underLimits<T>(deps: Deps, attempt: SignInAttempt, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    await returnAttempt(deps.database, ...attempt.ofPerson, ...attempt.ofAddress);
    throw error;
  }
}
