import { refusedSignIns } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { prefixOf } from '../lib/network.ts';
import { comparedMaxBytes } from '../lib/password-hashes/password-hash.ts';
import { counter } from '../telemetry/metric.ts';
import { underLimits } from './attempt-limits.sql.ts';
import type { Asker } from './hashing-queue.ts';
import { findPasswordKinds } from './password-kinds.sql.ts';
import { findUserCredentials, renewPasswordHash, type UserCredentials } from './passwords.sql.ts';
import { countSignIn, forgetSignIns, signInLimits } from './sign-in-limits.ts';
import { copyFromView } from './view/view-accounts.ts';

const checks = counter('latchkey_password_checks_total', 'Passwords at sign-in and at a change of password.', {
  outcome: ['right', 'wrong', 'limited'],
});

/** The account of a sign-in attempt; without an account, `username` is what was typed. */
export type Account = UserCredentials & { username: string };

/** The browser in which a password was entered. */
export interface SignInBrowser {
  address: string;
  /** the user who is signed in there, if any */
  user_id: number | undefined;
  /** aborted when the connection of the browser ends before the request was answered */
  gone: AbortSignal;
  /** the id of this browser, if the user has signed in with it before */
  knownBrowserOf(account: Pick<Account, 'username' | 'password_hash'>): string | undefined;
}

export function askerOf({ address, gone }: SignInBrowser, isKnown: boolean): Asker {
  return { isKnown, prefix: prefixOf(address), gone };
}

/** The outcome of an attempt to sign in. */
export interface PasswordCheck {
  /** seconds until the next attempt is allowed; if more than 0, the password was not compared */
  wait: number;
  isRight: boolean;
  /** the account with the hash that is stored now */
  account: Account;
}

/** Compares a password within the limits of the username, address and browser. An unknown username takes as long as a known one. */
export async function checkPassword(...attempt: Parameters<typeof compareWithinLimits>): Promise<PasswordCheck> {
  const check = await compareWithinLimits(...attempt);
  const compared = check.isRight ? 'right' : 'wrong';
  checks.add(check.wait > 0 ? 'limited' : compared);
  if (check.wait > 0) refusedSignIns.add('too many attempts');
  return check;
}

async function compareWithinLimits(
  deps: Deps,
  browser: SignInBrowser,
  username: string,
  password: unknown,
): Promise<PasswordCheck> {
  const found = await findUserCredentials(deps.database, username);
  const account = { ...found, username: found.username ?? username };
  const knownBrowser = browser.knownBrowserOf(account);
  const limits = signInLimits({
    person: personOf(found),
    name: found.name,
    user_id: found.user_id,
    address: browser.address,
    knownBrowser,
  });
  const counted = await countSignIn(deps, limits);
  const wait = counted === 'hidden' ? 0 : counted;
  if (wait > 0) return { wait, isRight: false, account };
  // no account has a password that is missing or longer than this, so there is nothing to compare
  if (typeof password !== 'string' || Buffer.byteLength(password) > comparedMaxBytes) {
    return { wait, isRight: false, account };
  }
  const compare = async () => {
    const [stored, kinds] = [await storedAccount(deps, account), await findPasswordKinds(deps.database)];
    // the password counts as wrong, whatever it is, after the work that a wrong password takes
    const compared = counted === 'hidden' ? { ...stored, password_hash: null } : stored;
    // a user who is already signed in here counts as known, too
    const isKnown = knownBrowser !== undefined || (stored.user_id !== null && browser.user_id === stored.user_id);
    return { stored, ...(await deps.passwords.verify(password, compared, kinds, askerOf(browser, isKnown))) };
  };
  const { isRight, renewed, problem, stored } = await underLimits(
    deps.database,
    [...limits.ofPerson, ...limits.ofName, ...limits.ofAddress],
    compare,
  );
  if (problem !== undefined)
    deps.log.warn({ user_id: stored.user_id, problem }, 'a stored password hash is not compared');
  if (!isRight) return { wait, isRight, account: stored };
  await forgetSignIns(deps, limits);
  return { wait, isRight, account: { ...stored, password_hash: await renewHash(deps, stored, renewed) } };
}

/** Finds the account in the operator's view if the name is unknown here. */
async function storedAccount(deps: Deps, account: Account): Promise<Account> {
  if (account.user_id !== null || !(await copyFromView(deps, account.username))) return account;
  const copied = await findUserCredentials(deps.database, account.username);
  return { ...copied, username: copied.username ?? account.username };
}

/** The person for whom wrong passwords are counted, by whichever name and spelling, as long as the password is the same. */
const personOf = ({ user_id, password_hash, name }: UserCredentials) =>
  user_id === null ? `name ${name}` : `user ${user_id} ${password_hash ?? ''}`;

/**
 * Stores the new hash of a password whose stored hash has another kind or cost, unless the stored hash was replaced meanwhile. The
 * password was right, whether this succeeds or not.
 */
async function renewHash({ database, log }: Deps, account: UserCredentials, renewed?: string): Promise<string | null> {
  const { user_id, password_hash } = account;
  if (user_id === null || password_hash === null || renewed === undefined) return password_hash;
  const isRenewed = await renewPasswordHash(database, user_id, password_hash, renewed).catch((err: unknown) => {
    log.warn({ err, user_id }, 'the hash of a right password was not renewed; the next sign-in tries again');
    return false;
  });
  return isRenewed ? renewed : password_hash;
}
