import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { Parameters } from '../protocol/parameters.ts';
import { readCookie } from './cookies.ts';
import type { PageContext } from './page-context.ts';
import type { FormProblem } from './views/parts.ts';

/**
 * Proof that a form was ours: a random cookie, and in the form its HMAC together with the session. A foreign site can
 * make a browser send the cookie but cannot read it; nothing is stored, so a visitor costs no row [6749 §10.12].
 */
export function issueFormKey({ deps: { config, sessionSecrets }, req, res }: PageContext): string {
  const known = formCookieOf(req, config.secure);
  const cookie = known ?? randomBytes(18).toString('base64url');
  if (known === undefined) {
    res.cookie(cookieName(config.secure), cookie, {
      httpOnly: true,
      sameSite: 'lax',
      secure: config.secure,
      path: '/',
      encode: String,
    });
  }
  return keyOf(sessionSecrets[0] ?? '', cookie, req);
}

/** Why a posted form cannot be trusted; undefined when it can. */
export function formProblem(
  { deps: { config, sessionSecrets }, req }: PageContext,
  form: Parameters,
): FormProblem | undefined {
  if (isCrossSite(req, config.issuer)) return 'cross_site';
  const cookie = formCookieOf(req, config.secure);
  const { csrf } = form;
  if (cookie === undefined || typeof csrf !== 'string') return 'form_expired';
  const isOurs = sessionSecrets.some((secret) => isEqual(csrf, keyOf(secret, cookie, req)));
  return isOurs ? undefined : 'form_expired';
}

/** Browsers say where a request comes from; curl says nothing, and has no cookies to steal either. */
function isCrossSite(req: Request, issuer: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host } = req.headers;
  if (origin === undefined) return false;
  return origin !== new URL(issuer).origin && origin !== `http://${host}` && origin !== `https://${host}`;
}

function keyOf(secret: string, cookie: string, req: Request): string {
  const session = req.session.user_id === undefined ? '' : req.sessionID;
  return createHmac('sha256', secret).update(`form\n${cookie}\n${session}`).digest('base64url');
}

function isEqual(one: string, other: string): boolean {
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
