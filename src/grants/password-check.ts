import type { Deps } from '../deps.ts';
import { isTooLongForBcrypt } from '../protocol/password.ts';
import { findUserCredentials, renewPasswordHash, type UserCredentials } from '../store/passwords.ts';
import { countSignIn, forgetSignIns, signInLimits, underLimits } from './sign-in-limits.ts';

export type Account = UserCredentials & { username: string };

/** Where a password was typed. */
export interface SignInPlace {
  address: string;
  /** who is signed in there */
  user_id: number | undefined;
  /** the browser's own number, if that person has signed in with it before */
  knownBrowserOf(account: Account): string | undefined;
}

/** What came of an attempt to sign in. */
export interface PasswordCheck {
  /** seconds until the password may be looked at; more than 0: it was not */
  wait: number;
  isRight: boolean;
  /** with the hash as it is stored now */
  account: Account;
}

/** Within the limits of this name, address and browser; a name that nobody has takes as long as any other. */
export async function checkPassword(
  deps: Deps,
  place: SignInPlace,
  username: string,
  password: unknown,
): Promise<PasswordCheck> {
  const account = { ...(await findUserCredentials(deps.database, username)), username };
  const knownBrowser = place.knownBrowserOf(account);
  const limits = signInLimits({ username, address: place.address, knownBrowser });
  const wait = await countSignIn(deps, limits);
  if (wait > 0) return { wait, isRight: false, account };
  // no such password was ever accepted
  if (typeof password !== 'string' || isTooLongForBcrypt(password)) return { wait, isRight: false, account };
  // who has signed in as this person already is no stranger either
  const isKnown = knownBrowser !== undefined || (account.user_id !== null && place.user_id === account.user_id);
  const look = () => deps.passwords.verify(password, account, isKnown);
  const { isRight, renewed } = await underLimits(deps, limits, look);
  if (!isRight) return { wait, isRight, account };
  await forgetSignIns(deps, limits);
  return { wait, isRight, account: { ...account, password_bcrypt: await renewHash(deps, account, renewed) } };
}

/** A hash of another cost than ours takes another time to compare; the person is here, so it can be made anew. */
async function renewHash({ database }: Deps, account: UserCredentials, renewed?: string): Promise<string | null> {
  const { user_id, password_bcrypt } = account;
  if (user_id === null || password_bcrypt === null || renewed === undefined) return password_bcrypt;
  return (await renewPasswordHash(database, user_id, password_bcrypt, renewed)) ? renewed : password_bcrypt;
}
