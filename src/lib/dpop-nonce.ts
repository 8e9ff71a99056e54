import { keyFor } from './sealing.ts';

/** Seconds after which the nonce changes. The one before is still accepted. */
const period = 60;

/**
 * Returns what a DPoP proof must contain if it must not have been made in advance [9449 §8]: derived from the time, so that nothing is
 * stored.
 */
export function dpopNonce([secret = '']: readonly string[], now = Date.now() / 1000): string {
  return nonceOf(secret, Math.floor(now / period));
}

export function isFreshNonce(secrets: readonly string[], nonce: unknown, now = Date.now() / 1000): boolean {
  const current = Math.floor(now / period);
  return secrets.some((secret) => [current, current - 1].some((one) => nonceOf(secret, one) === nonce));
}

const nonceOf = (secret: string, number: number) => keyFor(secret, `DPoP nonce ${number}`).toString('base64url');
