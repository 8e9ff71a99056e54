import { createHmac, timingSafeEqual } from 'node:crypto';
import { readCookie } from '../web/cookies.ts';
import type { PageContext } from '../web/page-context.ts';

/** People who may share a browser. */
const maxPeople = 5;

/** Days for which a browser is asked for no second factor. */
export const trustedDays = 30;

/** The person who may trust the browser, with the version of their factors. */
export interface Trusting {
  user_id: number;
  version: string;
  /** seconds since 1970, by the clock of the database */
  now: number;
}

const cookieName = (secure: boolean) => (secure ? '__Host-trusted' : 'trusted');

/**
 * Whether the person has entered a second factor here and asked to be spared it. The cookie has the end and an HMAC for each person;
 * a new password or factor invalidates it. It takes the place of the second factor at a sign-in, and of nothing else.
 */
export function isTrusted({ deps, req }: PageContext, { user_id, version, now }: Trusting): boolean {
  return entriesOf({ deps, req }).some(({ end, hmac }) => {
    const expected = deps.sessionSecrets.map((secret) => hmacOf(secret, { user_id, version }, end));
    // a cookie made while the clock was ahead would live longer by as much; a day is tolerated, as for what is stored
    const isOfThisTime = Number(end) <= now + (trustedDays + 1) * 86_400;
    return (
      Number(end) > now && isOfThisTime && expected.some((one) => timingSafeEqual(Buffer.from(hmac), Buffer.from(one)))
    );
  });
}

export function trustBrowser({ deps, req, res }: PageContext, { user_id, version, now }: Trusting): void {
  const { secure } = deps.config;
  const end = String(Math.floor(now) + trustedDays * 86_400);
  const hmac = hmacOf(deps.sessionSecrets[0] ?? '', { user_id, version }, end);
  const all = [{ end, hmac }, ...entriesOf({ deps, req })].slice(0, maxPeople);
  const value = all.map((entry) => `${entry.end}-${entry.hmac}`).join('.');
  const maxAge = trustedDays * 86_400_000;
  res.cookie(cookieName(secure), value, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge });
}

function entriesOf({ deps, req }: Pick<PageContext, 'deps' | 'req'>): { end: string; hmac: string }[] {
  const cookie = readCookie(req, cookieName(deps.config.secure)) ?? '';
  if (!/^\d{10,11}-[\w-]{43}(\.\d{10,11}-[\w-]{43}){0,4}$/.test(cookie)) return [];
  return cookie.split('.').map((entry) => ({ end: entry.slice(0, -44), hmac: entry.slice(-43) }));
}

function hmacOf(secret: string, { user_id, version }: Omit<Trusting, 'now'>, end: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['trusted browser', user_id, version, end]))
    .digest('base64url');
}
