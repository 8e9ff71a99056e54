import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { SignInPlace } from '../grants/password-check.ts';
import { clientAddress } from '../http/request-log.ts';
import { readCookie } from './cookies.ts';
import type { PageContext } from './page-context.ts';
import { signedInUser } from './session.ts';

/** Whose browser it is to be: a name as it was typed, and the hash of that account if there is one. */
export interface Account {
  username: string;
  password_bcrypt: string | null;
}

/** A browser is shared by a family, now and then. */
const mostPeople = 5;

export function signInPlace(page: PageContext): SignInPlace {
  return {
    address: clientAddress(page.req),
    user_id: signedInUser(page.req),
    knownBrowserOf: (account) => knownBrowser(page, account),
  };
}

/**
 * The number of the browser, if this person has signed in with it before. The cookie names the browser by a random number
 * and has a proof for each person: an HMAC of the number, the name and the hash of the password, so that it ends when the
 * password changes, wherever that is done. It signs nobody in; it only spares them the limits that strangers can exhaust.
 */
function knownBrowser({ deps, req }: PageContext, account: Account): string | undefined {
  const { config, sessionSecrets } = deps;
  const { id, proofs } = readBrowser(req, config.secure);
  const valid = sessionSecrets.map((secret) => proofOf(secret, id, account));
  const isKnown = proofs.some((proof) => valid.some((one) => timingSafeEqual(Buffer.from(proof), Buffer.from(one))));
  return account.password_bcrypt !== null && isKnown ? id : undefined;
}

export function rememberBrowser({ deps, req, res }: PageContext, account: Account): void {
  const { config, sessionSecrets } = deps;
  const { secure } = config;
  const { id, proofs } = readBrowser(req, secure);
  const proof = proofOf(sessionSecrets[0] ?? '', id, account);
  const all = [proof, ...proofs.filter((one) => one !== proof)].slice(0, mostPeople);
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: 180 * 86_400_000 } as const;
  res.cookie(cookieName(secure), [id, ...all].join('.'), options);
}

function readBrowser(req: Request, secure: boolean): { id: string; proofs: string[] } {
  const cookie = readCookie(req, cookieName(secure)) ?? '';
  const [id, ...proofs] = /^[\w-]{22}(\.[\w-]{43}){1,5}$/.test(cookie) ? cookie.split('.') : [];
  return { id: id ?? randomBytes(16).toString('base64url'), proofs };
}

function proofOf(secret: string, id: string, { username, password_bcrypt }: Account): string {
  const said = JSON.stringify(['browser', id, username, password_bcrypt]);
  return createHmac('sha256', secret).update(said).digest('base64url');
}

function cookieName(secure: boolean): string {
  return secure ? '__Host-browser' : 'browser';
}
