import { isSubject } from './id-token.ts';
import { type Claims, isOfType, type Jwt } from './jwt.ts';

/** Which sessions a provider ends, as its logout token says. */
export interface Logout {
  sub: string | null;
  sid: string | null;
  jti: string;
  /** in seconds since 1970 */
  iat: number;
  exp: number;
}

/** What makes a JWT a logout token [OpenID Connect Back-Channel Logout 1.0 §2.4]. */
const event = 'http://schemas.openid.net/event/backchannel-logout';

interface Expected {
  client_id: string;
  issuers: readonly string[];
}

/**
 * The logout in a JWT [OpenID Connect Back-Channel Logout 1.0 §2.6]; or why the JWT is no logout token, in fixed words. The signature
 * and the times are judged elsewhere.
 */
export function readLogout(jwt: Jwt, { client_id, issuers }: Expected): Logout | string {
  const { claims } = jwt;
  const { iss, aud, iat, exp, jti, sub, sid } = claims;
  if (!isLogoutType(jwt)) return 'typ of the logout token is that of another JWT';
  // an ID token has a nonce, so that none can be taken for a logout token
  if (Object.hasOwn(claims, 'nonce')) return 'the logout token has a nonce';
  if (typeof iss !== 'string' || !issuers.includes(iss)) return 'iss of the logout token is another issuer';
  if (!isFor(aud, client_id)) return 'aud of the logout token is another client';
  if (!isTime(iat) || !isTime(exp)) return 'iat or exp of the logout token is not a time';
  if (!hasLogoutEvent(claims)) return 'events of the logout token has no logout';
  if (!isSubject(jti)) return 'jti of the logout token is missing or malformed';
  if (!isLeftOutOrName(sub) || !isLeftOutOrName(sid)) return 'sub or sid of the logout token is malformed';
  if (sub === undefined && sid === undefined) return 'the logout token has neither sub nor sid';
  return { sub: sub ?? null, sid: sid ?? null, jti, iat, exp };
}

const isLeftOutOrName = (value: unknown): value is string | undefined => value === undefined || isSubject(value);

function isLogoutType(jwt: Jwt): boolean {
  return jwt.header.typ === undefined || isOfType(jwt, 'logout+jwt') || isOfType(jwt, 'jwt');
}

/** Alone, as in an ID token without `azp`. */
export function isFor(aud: unknown, audience: string): boolean {
  return aud === audience || (Array.isArray(aud) && aud.length === 1 && aud[0] === audience);
}

/** Postgres knows no time beyond. */
const latest = 2 ** 40;

export function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < latest;
}

function hasLogoutEvent({ events }: Claims): boolean {
  if (!isObject(events) || !Object.hasOwn(events, event)) return false;
  return isObject(events[event]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
