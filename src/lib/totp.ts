import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// Codes that an app computes from a shared secret and the time [6238]. All apps know this algorithm, length and step.

/** The secret has as many bytes as the hash [4226 §4]. */
export const newAppSecret = (): Buffer => randomBytes(20);

/** Seconds for which a code is shown. */
const period = 30;

/** The number of the step at a time in seconds since 1970 [6238 §4.2]. */
export const stepAt = (seconds: number): number => Math.floor(seconds / period);

/** The code of a step [4226 §5.3]. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hmac = createHmac('sha1', secret).update(counter).digest();
  const offset = (hmac[hmac.length - 1] ?? 0) & 0xf;
  return String((hmac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The step to which a code belongs: the present step, the step before, or the step after, because clocks differ [6238 §5.2]. */
export function stepOf(secret: Buffer, code: string, now: number): number | undefined {
  const typed = Buffer.from(code);
  const steps = [0, -1, 1].map((difference) => stepAt(now) + difference);
  return steps.find((step) => {
    const expected = Buffer.from(codeAt(secret, step));
    return typed.length === expected.length && timingSafeEqual(typed, expected);
  });
}

/** Groups of four letters, for people who type it [4648 §6]. */
export function writtenSecret(secret: Buffer): string {
  const bits = [...secret].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = (bits.match(/.{5}/g) ?? []).map(
    (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)],
  );
  return (letters.join('').match(/.{1,4}/g) ?? []).join(' ');
}

/** What an app reads from the picture. Several apps show the issuer only if it is also before the name. */
export function keyUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const [provider, name] = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(':', ' ')));
  return `otpauth://totp/${provider}:${name}?secret=${writtenSecret(secret).replaceAll(' ', '')}&issuer=${provider}`;
}
