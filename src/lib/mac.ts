import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

// MAC access authentication [draft-ietf-oauth-v2-http-mac-02]. The draft was given up in favour of proofs with public keys.

/** The only algorithm, as token responses name it. */
export const macAlgorithm = 'hmac-sha-256';

/** Seconds by which the timestamp of a request may differ from the clock of this server. */
const tolerance = 60;

/** The attributes of an Authorization header [§3.1]. */
export interface MacCredentials {
  /** the access token */
  id: string;
  ts: string;
  nonce: string;
  ext: string;
  mac: string;
}

/** One attribute and what separates it from the next; no value can contain a quotation mark, a backslash or a control character. */
const attribute = /(id|ts|nonce|ext|mac)="([\x20\x21\x23-\x5b\x5d-\x7e]{1,4096})"(?: *, *(?=\w)|$)/y;

/** Reads a header with each attribute once, in any order, `ext` or not; undefined for anything else. */
export function readMacHeader(header: string): MacCredentials | undefined {
  const found = new Map<string, string>();
  attribute.lastIndex = 0;
  while (attribute.lastIndex < header.length) {
    const [, name = '', value = ''] = attribute.exec(header) ?? [];
    if (name === '' || found.has(name)) return undefined;
    found.set(name, value);
  }
  const [id, ts, nonce, mac] = ['id', 'ts', 'nonce', 'mac'].map((name) => found.get(name));
  if (!id || !ts || !nonce || !mac || !/^[1-9]\d{0,11}$/.test(ts)) return undefined;
  return { id, ts, nonce, mac, ext: found.get('ext') ?? '' };
}

export const isWithinWindow = (ts: string): boolean => Math.abs(Date.now() / 1000 - Number(ts)) <= tolerance;

/** Seconds since 1970 after which the timestamp is outside the window. */
export const endOfWindow = (ts: string): number => Number(ts) + tolerance;

/** What the MAC is calculated over [§3.2.1]: no part can contain a line feed, so no two requests give the same text. */
export interface MacRequest {
  method: string;
  /** the request target as it was received */
  target: string;
  /** the host of the public address */
  host: string;
  port: string;
}

/** Whether the MAC was made for this request with the key. */
export function isMacOf(credentials: MacCredentials, { method, target, host, port }: MacRequest, key: string): boolean {
  const { ts, nonce, ext, mac } = credentials;
  const text = [ts, nonce, method, target, host, port, ext].map((part) => `${part}\n`).join('');
  const expected = createHmac('sha256', key).update(text).digest();
  const received = Buffer.from(mac, 'base64');
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** Derives the key of a token from a secret of this server, so that it is stored nowhere. */
export function deriveMacKey(secret: string, tokenKey: Buffer): string {
  const info = Buffer.concat([Buffer.from('mac key '), tokenKey]);
  return Buffer.from(hkdfSync('sha256', secret, '', info, 32)).toString('base64url');
}
