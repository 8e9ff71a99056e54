import type { Deps } from '../deps.ts';
import { networkOf } from '../lib/network.ts';
import { countAttempt, forgetAttempts, type Limit, returnAttempt } from './attempt-limits.sql.ts';

/** An attempt to sign in with a password. */
export interface SignInAttempt {
  /** the account, or the name of none */
  person: string;
  /** the typed name, in the spelling that is compared */
  name: string;
  /** the account of that name, if there is one */
  user_id: number | null;
  address: string;
  /** the id of this browser, if the user has signed in with it before */
  knownBrowser: string | undefined;
}

/** The limits under which an attempt is counted. */
export interface SignInLimits {
  /** limits of the user; reset after a successful sign-in */
  ofPerson: Limit[];
  /** limits of the user by this name, as a user with no other name would have them; reset, too */
  ofName: Limit[];
  /** limits of the address; not reset, because others who share the address may be guessing */
  ofAddress: Limit[];
}

/**
 * Limits for a user from one address, for the user from anywhere and for the address. A stranger could use up any of them and
 * lock the user out, so a browser in which the user has signed in before has only a limit of its own.
 */
export function signInLimits({ person, name, user_id, address, knownBrowser }: SignInAttempt): SignInLimits {
  const whose = { user_id: user_id ?? undefined };
  if (knownBrowser !== undefined) {
    const ofPerson = [{ key: `sign-in browser ${knownBrowser} ${person}`, free: 5, pause: 5, longest: 900, ...whose }];
    return { ofPerson, ofName: [], ofAddress: [] };
  }
  const network = networkOf(address);
  const limitsOf = (who: string) => [
    { key: `sign-in pair ${who} ${network}`, free: 5, pause: 5, longest: 900, ...whose },
    { key: `sign-in account ${who}`, free: 20, pause: 1, longest: 60, ...whose },
  ];
  return {
    ofPerson: limitsOf(person),
    ofName: limitsOf(`${person} by ${name}`),
    ofAddress: [{ key: `sign-in address ${network}`, free: 50, pause: 5, longest: 900 }],
  };
}

/**
 * Seconds to wait before the password may be compared; 0: none. `hidden` if the wait is for attempts by other names of the user: to say so
 * would tell strangers whose names they are.
 */
export async function countSignIn(
  { database }: Deps,
  { ofPerson, ofName, ofAddress }: SignInLimits,
): Promise<number | 'hidden'> {
  const wait = await countAttempt(database, ...ofPerson, ...ofName, ...ofAddress);
  if (wait === 0 || ofName.length === 0) return wait;
  // counts it as an attempt by a name of nobody, unless that must wait
  return (await countAttempt(database, ...ofName, ...ofAddress)) || 'hidden';
}

/** After a success: resets the limits of the user and takes back only this attempt from those of the address. */
export async function forgetSignIns({ database }: Deps, { ofPerson, ofName, ofAddress }: SignInLimits): Promise<void> {
  await forgetAttempts(database, ...ofPerson, ...ofName);
  await returnAttempt(database, ...ofAddress);
}

/** Attempts during a wait are audited once in a quarter of an hour for each address. */
export async function isFirstDelay({ database }: Deps, address: string): Promise<boolean> {
  const limit = { key: `delayed ${networkOf(address)}`, free: 1, pause: 900, longest: 900 };
  return (await countAttempt(database, limit)) === 0;
}
