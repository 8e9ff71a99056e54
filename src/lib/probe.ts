import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// The command doctor asks this server through its public address what arrives there. Only a holder of the session secret can
// ask, because the answer describes the network in front of the server.

export const probeHeader = 'latchkey-probe';
export const arrivalHeader = 'latchkey-arrived';

/** What arrived of the request that was sent to the issuer. */
export interface Arrival {
  host: string | null;
  /** null: no proxy has said which scheme the client used */
  forwarded_proto: string | null;
  /** how many addresses X-Forwarded-For names */
  forwarded_for: number;
  /** whether the sender's X-Forwarded-For is believed */
  is_trusted: boolean;
}

/** Seconds for which a probe is answered; it can be repeated until then, and gets the same answer. */
const lifetime = 60;

const macOf = (secret: string, text: string) => createHmac('sha256', secret).update(`latchkey probe ${text}`).digest();

export function createProbe(secret: string, now: number): string {
  const text = `${Math.floor(now / 1000)}.${randomBytes(12).toString('base64url')}`;
  return `${text}.${macOf(secret, text).toString('base64url')}`;
}

export function isProbe(secrets: readonly string[], value: string, now: number): boolean {
  const [, text = '', second = '', mac = ''] = /^((\d{1,12})\.[\w-]{16})\.([\w-]{43})$/.exec(value) ?? [];
  if (text === '' || Math.abs(now / 1000 - Number(second)) > lifetime) return false;
  const given = Buffer.from(mac, 'base64url');
  return secrets.some((secret) => timingSafeEqual(given, macOf(secret, text)));
}

export function writeArrival(arrival: Arrival): string {
  return Buffer.from(JSON.stringify(arrival)).toString('base64url');
}

export function readArrival(value: string): Arrival {
  return JSON.parse(Buffer.from(value, 'base64url').toString()) as Arrival;
}
