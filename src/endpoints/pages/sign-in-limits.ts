import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../protocol/network.ts';
import { countAttempt, forgetAttempts, type Limit, returnAttempt } from '../../store/attempts.ts';
import { addressOf } from '../request-log.ts';
import { readCookie } from './cookies.ts';

/**
 * How often a password may be tried: a few times for one account from one address, more often from one address in all,
 * more often still for one account from anywhere. The last limit could lock a person out by a stranger's doing, so a
 * browser in which the person has signed in before carries a cookie that exempts it and is limited by itself.
 */
function limitsOf(deps: Deps, req: Request, username: string): Limit[] {
  const address = networkOf(addressOf(req));
  const knownBrowser = readDeviceCookie(deps, req, username);
  const account = knownBrowser ? `browser ${knownBrowser}` : `account ${username}`;
  return [
    { key: `sign-in pair ${username} ${address}`, free: 5, pause: 5, longest: 900 },
    { key: `sign-in address ${address}`, free: 50, pause: 5, longest: 900 },
    { key: `sign-in ${account}`, free: 20, pause: 1, longest: 60 },
  ];
}

/** Seconds to wait before the password may be looked at; counted first, so that parallel guesses count, too. */
export async function countSignIn(deps: Deps, req: Request, username: string): Promise<number> {
  for (const limit of limitsOf(deps, req, username)) {
    const wait = await countAttempt(deps.database, limit);
    if (wait > 0) return wait;
  }
  return 0;
}

/** A success clears what concerns the person, and of the address only itself: others there may be guessing. */
export async function forgetSignIns(deps: Deps, req: Request, res: Response, username: string): Promise<void> {
  const [pair, address, account] = limitsOf(deps, req, username);
  await forgetAttempts(deps.database, [pair?.key ?? '', account?.key ?? '']);
  await returnAttempt(deps.database, address?.key ?? '');
  const { secure } = deps.config;
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: 180 * 86_400_000 } as const;
  res.cookie(cookieName(secure), deviceCookieOf(deps.sessionSecrets[0] ?? '', username), options);
}

function readDeviceCookie({ config, sessionSecrets }: Deps, req: Request, username: string): string | undefined {
  const cookie = readCookie(req, cookieName(config.secure));
  if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined;
  const isKnown = sessionSecrets.some((secret) =>
    timingSafeEqual(Buffer.from(cookie), Buffer.from(deviceCookieOf(secret, username))),
  );
  return isKnown ? username : undefined;
}

function deviceCookieOf(secret: string, username: string): string {
  return createHmac('sha256', secret).update(`browser\n${username}`).digest('base64url');
}

function cookieName(secure: boolean): string {
  return secure ? '__Host-browser' : 'browser';
}
