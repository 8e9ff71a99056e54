import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyFor } from './sealing.ts';

/** Seconds in which a challenge must be answered. */
export const challengeLifetime = 300;

/** The use of a challenge, and the form that contains it: its key names the browser and the session. */
export interface ChallengeUse {
  readonly purpose: string;
  readonly form_key: string;
}

const randomLength = 20;

/**
 * Makes what an authenticator signs, so that its answer counts here and now only [WebAuthn §13.4.3]. Its last part can be made by this
 * server only, so nothing is stored until somebody answers: every view of the sign-in page has one.
 */
export function createChallenge([secret = '']: readonly string[], use: ChallengeUse, now = Date.now() / 1000): string {
  const expiry = Buffer.alloc(4);
  expiry.writeUInt32BE(Math.floor(now) + challengeLifetime);
  const body = Buffer.concat([expiry, randomBytes(randomLength - 4)]);
  return Buffer.concat([body, tagOf(secret, use, body)]).toString('base64url');
}

/** Returns when the challenge expires, in seconds since 1970; undefined unless this server made it for this use, and it has not expired. */
export function challengeExpiry(
  secrets: readonly string[],
  use: ChallengeUse,
  challenge: string,
  now = Date.now() / 1000,
): number | undefined {
  if (!/^[\w-]{70}$/.test(challenge)) return undefined;
  const bytes = Buffer.from(challenge, 'base64url');
  const [body, tag] = [bytes.subarray(0, randomLength), bytes.subarray(randomLength)];
  if (bytes.toString('base64url') !== challenge) return undefined;
  if (!secrets.some((secret) => timingSafeEqual(tag, tagOf(secret, use, body)))) return undefined;
  const expiry = body.readUInt32BE();
  // the clock of the instance that made the challenge may be ahead
  return expiry > now && expiry <= now + 2 * challengeLifetime ? expiry : undefined;
}

function tagOf(secret: string, { purpose, form_key }: ChallengeUse, body: Buffer): Buffer {
  const content = JSON.stringify([purpose, form_key, body.toString('base64url')]);
  return createHmac('sha256', keyOf(secret)).update(content).digest();
}

/** Keeps the key of each secret, since every sign-in page needs it; there are few secrets. */
const keys = new Map<string, Buffer>();

function keyOf(secret: string): Buffer {
  const key = keys.get(secret) ?? keyFor(secret, 'passkey challenge');
  keys.set(secret, key);
  return key;
}
