import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { Parameters } from '../lib/parameters.ts';
import { digestOf } from '../lib/secrets.ts';
import { readCookie } from './cookies.ts';
import type { PageContext } from './page-context.ts';
import type { FormProblem } from './views/parts.ts';

/**
 * Issues a form key, which protects against cross-site request forgery: a random cookie, and in the form an HMAC of the cookie and the
 * session. Another site can make a browser send the cookie but cannot compute the HMAC. Nothing is stored [6749 §10.12].
 */
export function issueFormKey({ deps: { config, sessionSecrets }, req, res }: PageContext): string {
  const present = formCookieOf(req, config.secure);
  const cookie = present ?? randomBytes(18).toString('base64url');
  if (present === undefined) {
    res.cookie(cookieName(config.secure), cookie, {
      httpOnly: true,
      sameSite: 'lax',
      secure: config.secure,
      path: '/',
      encode: String,
    });
  }
  return formKeyFor(sessionSecrets[0] ?? '', cookie, req);
}

/** Ends the forms after a sign-out: whatever this browser still has on the screen, or finds by going back, is worth nothing. */
export function endForms({ deps: { config }, res }: PageContext): void {
  res.clearCookie(cookieName(config.secure), { httpOnly: true, sameSite: 'lax', secure: config.secure, path: '/' });
}

/** Says why a form is not accepted; undefined when its key is right. */
export function formProblem(
  { deps: { config, sessionSecrets }, req }: PageContext,
  form: Parameters,
): FormProblem | undefined {
  if (isCrossSite(req, config.issuer)) return 'cross_site';
  const cookie = formCookieOf(req, config.secure);
  const { csrf } = form;
  if (cookie === undefined || typeof csrf !== 'string') return 'form_expired';
  const isRight = sessionSecrets.some((secret) => isEqual(csrf, formKeyFor(secret, cookie, req)));
  return isRight ? undefined : 'form_expired';
}

/** Whether a request comes from another site, as browsers say. Other clients do not say so, and have no cookies that could be abused. */
function isCrossSite(req: Request, issuer: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host } = req.headers;
  if (origin === undefined) return false;
  return origin !== new URL(issuer).origin && origin !== `http://${host}` && origin !== `https://${host}`;
}

/** Returns the value by which a browser is recognised while it is open; empty for a browser that has sent no form yet. */
export function browserOfForm({ deps: { config }, req }: PageContext): string {
  const cookie = formCookieOf(req, config.secure);
  return cookie === undefined ? '' : digestOf(cookie).toString('base64url');
}

function formKeyFor(secret: string, cookie: string, req: Request): string {
  const session = req.session.user_id === undefined ? '' : req.sessionID;
  return createHmac('sha256', secret).update(`form\n${cookie}\n${session}`).digest('base64url');
}

export function isEqual(one: string, other: string): boolean {
  const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes);
}

function cookieName(secure: boolean): string {
  return secure ? '__Host-form' : 'form';
}

function formCookieOf(req: Request, secure: boolean): string | undefined {
  const value = readCookie(req, cookieName(secure));
  return value !== undefined && /^[\w-]{24}$/.test(value) ? value : undefined;
}
