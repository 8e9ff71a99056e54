import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { readCookie } from '../web/cookies.ts';
import type { PageContext } from '../web/page-context.ts';
import { clientAddress } from '../web/request-log.ts';
import type { SignInBrowser } from './password-check.ts';
import { signedInUser } from './session.ts';

/** The username and the password hash of an account; for an unknown name, what was typed. */
export interface Account {
  username: string;
  password_hash: string | null;
}

/** People who may share a browser. */
const maxPeople = 5;

export function signInBrowser(page: PageContext): SignInBrowser {
  return {
    address: clientAddress(page.req),
    user_id: signedInUser(page.req),
    gone: endOf(page),
    knownBrowserOf: (account) => knownBrowser(page, account),
  };
}

/** Aborted when the connection ends; after the answer nobody listens any more. */
function endOf({ req, res }: PageContext): AbortSignal {
  const end = new AbortController();
  res.once('close', () => end.abort());
  if (req.socket.destroyed) end.abort();
  return end.signal;
}

/**
 * The id of the browser if this person has signed in with it before. The cookie has a random id and one HMAC for each
 * person, of the id, the username and the password hash; a new password invalidates it. The cookie does not sign anybody in:
 * it exempts the person from the sign-in limits that strangers can exhaust.
 */
function knownBrowser(page: PageContext, account: Account): string | undefined {
  // an unknown name is looked for, too, so that it takes as long
  const id = rememberedId(page, account);
  return account.password_hash === null ? undefined : id;
}

/** Whether this person has signed in with it before, in whichever way: one without a password has none that could be guessed. */
export const isKnownBrowser = (page: PageContext, account: Account): boolean =>
  rememberedId(page, account) !== undefined;

function rememberedId({ deps, req }: PageContext, account: Account): string | undefined {
  const { config, sessionSecrets } = deps;
  const { id, hmacs } = readBrowser(req, config.secure);
  const expected = sessionSecrets.map((secret) => hmacOf(secret, id, account));
  const isKnown = hmacs.some((hmac) => expected.some((one) => timingSafeEqual(Buffer.from(hmac), Buffer.from(one))));
  return isKnown ? id : undefined;
}

export function rememberBrowser({ deps, req, res }: PageContext, account: Account): void {
  const { config, sessionSecrets } = deps;
  const { secure } = config;
  const { id, hmacs } = readBrowser(req, secure);
  const hmac = hmacOf(sessionSecrets[0] ?? '', id, account);
  const all = [hmac, ...hmacs.filter((one) => one !== hmac)].slice(0, maxPeople);
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: 180 * 86_400_000 } as const;
  res.cookie(cookieName(secure), [id, ...all].join('.'), options);
}

function readBrowser(req: Request, secure: boolean): { id: string; hmacs: string[] } {
  const cookie = readCookie(req, cookieName(secure)) ?? '';
  const [id, ...hmacs] = /^[\w-]{22}(\.[\w-]{43}){1,5}$/.test(cookie) ? cookie.split('.') : [];
  return { id: id ?? randomBytes(16).toString('base64url'), hmacs };
}

function hmacOf(secret: string, id: string, { username, password_hash }: Account): string {
  const content = JSON.stringify(['browser', id, username, password_hash]);
  return createHmac('sha256', secret).update(content).digest('base64url');
}

function cookieName(secure: boolean): string {
  return secure ? '__Host-browser' : 'browser';
}
