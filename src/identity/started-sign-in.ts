import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { tooManyRequests } from '../lib/errors.ts';
import { digestOf } from '../lib/secrets.ts';
import { readCookie } from '../web/cookies.ts';
import type { PageContext } from '../web/page-context.ts';
import { clientAddress } from '../web/request-log.ts';
import { countAttempt, returnAttempt } from './attempt-limits.sql.ts';
import { networkLimits } from './failed-authentications.ts';
import { type StartedSignIn, startSignIn, takeSignIn } from './started-sign-ins.sql.ts';

// A sign-in that goes on at another site comes back in the same browser or not at all (login CSRF).

const cookieName = (secure: boolean) => (secure ? '__Host-sign-in' : 'sign-in');

/** The id of the browser, the same for all of its sign-ins, so that those in two tabs do not disturb each other. */
function browserOf(req: Request, secure: boolean): string | undefined {
  const id = readCookie(req, cookieName(secure));
  return id !== undefined && /^[\w-]{22}$/.test(id) ? id : undefined;
}

/** Stores that a sign-in elsewhere began, and returns the random value by which the answer is recognised. */
export async function beginElsewhere(page: PageContext, started: StartedSignIn): Promise<string> {
  const { deps, req, res } = page;
  const { secure } = deps.config;
  await limitStarts(page);
  const state = randomBytes(24).toString('base64url');
  const browser = browserOf(req, secure) ?? randomBytes(16).toString('base64url');
  await startSignIn(deps.database, { state_sha256: digestOf(state), browser_sha256: digestOf(browser) }, started);
  res.cookie(cookieName(secure), browser, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: 3_600_000 });
  return state;
}

const startLimits = ({ req }: PageContext) => networkLimits('sign-ins elsewhere', clientAddress(req), 300, 900);

/** Limits the starts from one network: strangers can start a sign-in, and each start is a row for ten minutes. */
async function limitStarts(page: PageContext): Promise<void> {
  const wait = await countAttempt(page.deps.database, ...startLimits(page));
  if (wait > 0) throw tooManyRequests(wait);
}

/** Takes back the count of a start after a sign-in: a thousand people behind one address may begin their day at once. */
export function forgetStart(page: PageContext): Promise<void> {
  return returnAttempt(page.deps.database, ...startLimits(page));
}

/** The key by which a sign-in of this browser is found; undefined if none has begun in this browser. */
export function keyOfSignIn({ deps, req }: PageContext, state: string) {
  const browser = browserOf(req, deps.config.secure);
  return browser && { state_sha256: digestOf(state), browser_sha256: digestOf(browser) };
}

/** Takes the sign-in that is answered, once; undefined if it did not begin in this browser and for this source. */
export function returnFromElsewhere(page: PageContext, source: string, state: string) {
  const key = keyOfSignIn(page, state);
  return key && takeSignIn(page.deps.database, key, source);
}
