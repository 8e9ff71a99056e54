import { createHmac, timingSafeEqual } from 'node:crypto';
import { authenticationIn } from './authentication-claims.ts';
import { clockTolerance } from './client-jwt.ts';
import { readFlag } from './flag.ts';
import { type Claims, isOfType, type Jwt } from './jwt.ts';
import { isStorable } from './parameters.ts';

// What the provider's website says about who has signed in there.

/** Seconds for which an answer is valid at most. */
const maxLifetime = 120;

/** The website and this server count in whole seconds: a proof may be older than demanded by that much. */
const tolerance = 1;

/** Who has signed in, when and how. What the website says beside these claims means nothing here. */
export interface WebsiteAnswer {
  sub: string;
  jti: string;
  exp: number;
  auth_time: number;
  username: string | null;
  name: string | null;
  email: string | null;
  email_verified: boolean;
  acr: string | undefined;
  amr: readonly string[] | undefined;
}

/** What the answer must fit; each time in seconds since 1970, by the clock of the database. */
export interface AwaitedAnswer {
  issuer: string;
  nonce: string;
  now: number;
  /** when the browser was sent to the website */
  started_at: number;
  /** whether the person had to sign in anew */
  login: boolean;
  max_age: number | undefined;
}

/** Says why an answer does not count: `stale` if it is sound, but the person signed in too long ago for what was demanded. */
export interface AnswerFault {
  fault: 'invalid' | 'stale';
  reason: string;
}

const invalid = (reason: string): AnswerFault => ({ fault: 'invalid', reason });

/** Whether the shared secret made the signature, by the only algorithm for which it is [7518 §3.2]. */
export function isSignedWithSecret(secret: string, { header, signed, signature }: Jwt): boolean {
  const expected = createHmac('sha256', secret).update(signed).digest();
  return header.alg === 'HS256' && signature.length === expected.length && timingSafeEqual(signature, expected);
}

/**
 * Reads an answer whose signature is verified. Its nonce is the mark that no other JWT of the website has; one that says that it is
 * of another kind is refused all the same [8725 §3.11].
 */
export function readWebsiteAnswer(jwt: Jwt, awaited: AwaitedAnswer): WebsiteAnswer | AnswerFault {
  const { claims } = jwt;
  const isOtherKind = jwt.header.typ !== undefined && !isOfType(jwt, 'jwt') && !isOfType(jwt, 'sign-in-response+jwt');
  if (isOtherKind) return invalid('its typ is that of another kind of JWT');
  // a website may serve several servers: the answer for one must not count at another
  if (claims['aud'] !== awaited.issuer) return invalid('aud is not exactly the issuer of this server');
  if (claims['nonce'] !== awaited.nonce) return invalid('nonce is not that of the request');
  const [sub, jti] = [textOf(claims, 'sub', 255), textOf(claims, 'jti', 255)];
  if (sub === null || jti === null) return invalid('sub or jti is missing, malformed or longer than 255 characters');
  const times = timesOf(claims, awaited);
  if ('fault' in times) return times;
  return { sub, jti, ...times, ...personOf(claims), ...authenticationIn(claims) };
}

function timesOf(claims: Claims, awaited: AwaitedAnswer): { exp: number; auth_time: number } | AnswerFault {
  const { now, started_at, login, max_age } = awaited;
  const { iat, exp, nbf = 0, auth_time } = claims;
  if (!isTime(iat) || !isTime(exp) || !isTime(nbf)) return invalid('iat or exp is missing, or a time is no number');
  const isTimely = Math.max(iat, nbf) <= now + clockTolerance && exp > now && exp <= now + maxLifetime + clockTolerance;
  if (!isTimely || exp - iat > maxLifetime) {
    return invalid(`its times are not those of an answer of at most ${maxLifetime} seconds; compare the clocks`);
  }
  const isPast = isTime(auth_time) && Number.isInteger(auth_time) && auth_time > 0 && auth_time <= now + clockTolerance;
  if (!isPast) return invalid('auth_time is missing, in the future, or no whole number of seconds');
  const isOfRequest = auth_time >= Math.floor(started_at) - tolerance;
  const isTooOld = max_age !== undefined && now - auth_time > max_age + tolerance;
  if (!isOfRequest && (login || isTooOld))
    return { fault: 'stale', reason: 'auth_time is older than was demanded; compare the clocks' };
  return { exp, auth_time: Math.min(auth_time, now) };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A text that can be stored; null if it is missing, too long or something else. */
function textOf(claims: Claims, name: string, maxLength: number): string | null {
  const value = claims[name];
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= maxLength;
  return isText && isStorable(value) && !/\p{Cc}/u.test(value) ? value : null;
}

/** The rest of an account. What is malformed is left out: the person is known by `sub`. */
function personOf(claims: Claims): Pick<WebsiteAnswer, 'username' | 'name' | 'email' | 'email_verified'> {
  const email = textOf(claims, 'email', 254);
  return {
    username: textOf(claims, 'username', 195),
    name: textOf(claims, 'name', 200),
    email: email !== null && /^[^\s@]+@[^\s@]+$/.test(email) ? email : null,
    email_verified: readFlag(claims['email_verified']) === true,
  };
}
