import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PageContext } from '../pages/page-context.ts';
import type { HttpExchange } from '../pages/views/playground.ts';

/** An authorization request that waits for its answer. */
export interface Pending {
  state: string;
  code_verifier: string;
  prompt?: 'consent' | undefined;
  /** whether to redeem the code with a wrong code_verifier, on purpose */
  wrong_verifier?: boolean | undefined;
}

/** The credentials of the client; those that have ended are removed. */
export interface Holding {
  code?: string | undefined;
  code_verifier?: string | undefined;
  access_token?: string | undefined;
  refresh_token?: string | undefined;
  name?: string | undefined;
}

/** What the playground remembers about one browser. */
export interface Memory {
  pending?: Pending | undefined;
  holding: Holding;
  flow: HttpExchange[];
  /** the exchanges of the latest attempt */
  tried: HttpExchange[];
}

export function emptyMemory(): Memory {
  return { holding: {}, flow: [], tried: [] };
}

const cookieName = 'playground';
const lifetime = 3600;
/** browsers keep 4096 bytes for name and value together */
const maxLength = 4000;
/** authenticated with the content; change it when the type Memory changes */
const version = Buffer.from('playground memory 1');

/** The memory is an encrypted cookie, so that it survives restarts and works with several processes without a table. */
export function remember({ deps, res }: PageContext, memory: Memory): void {
  const { config, sessionSecrets } = deps;
  const key = cookieKey(sessionSecrets[0] ?? '');
  // what is too long for a cookie loses its exchanges first; the state of the pending request must remain
  const candidates = [memory, { ...memory, tried: [] }, { ...memory, tried: [], flow: [] }];
  const sealed = candidates.map((candidate) => seal(key, candidate)).find((value) => value.length <= maxLength);
  res.cookie(cookieName, sealed ?? '', {
    httpOnly: true,
    // not Strict: the redirect to the callback can begin at another site
    sameSite: 'lax',
    secure: config.secure,
    path: `${config.base}/playground`,
    maxAge: lifetime * 1000,
    encode: String,
  });
}

export function recall({ deps: { sessionSecrets }, req }: PageContext): Memory | undefined {
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const values = pairs
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  const opened = values.flatMap((value) => sessionSecrets.map((secret) => open(cookieKey(secret), value)));
  return opened.find((memory) => memory !== undefined);
}

function cookieKey(secret: string): Buffer {
  return createHmac('sha256', secret).update(version).digest();
}

function seal(key: Buffer, memory: Memory): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(version);
  const text = Buffer.concat([cipher.update(deflateRawSync(JSON.stringify(memory))), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

function open(key: Buffer, value: string): Memory | undefined {
  const bytes = Buffer.from(value, 'base64url');
  if (bytes.length < 29) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(version).setAuthTag(bytes.subarray(12, 28));
  const text = decipher.update(bytes.subarray(28));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return JSON.parse(inflateRawSync(text).toString('utf8')) as Memory;
}
