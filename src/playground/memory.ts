import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PageContext } from '../pages/page-context.ts';
import type { HttpExchange } from '../pages/views/playground.ts';

/** A request that went out and has not been answered. */
export interface Pending {
  state: string;
  code_verifier: string;
  prompt?: 'consent' | undefined;
  /** the answer is to be redeemed with another verifier, on purpose */
  wrong_verifier?: boolean | undefined;
}

/** What the application has in hand; a member that is gone cannot be tried any more. */
export interface Holding {
  code?: string | undefined;
  code_verifier?: string | undefined;
  access_token?: string | undefined;
  refresh_token?: string | undefined;
  name?: string | undefined;
}

/** All that the application remembers about one browser. */
export interface Memory {
  pending?: Pending | undefined;
  holding: Holding;
  flow: HttpExchange[];
  /** the latest use or attempt */
  tried: HttpExchange[];
}

export function emptyMemory(): Memory {
  return { holding: {}, flow: [], tried: [] };
}

const cookieName = 'playground';
const lifetime = 3600;
/** what a browser keeps of name and value together, less the name */
const longest = 4000;
/** authenticated with the contents; to be changed with their shape */
const shape = Buffer.from('playground memory 1');

/**
 * The memory travels in a cookie that only this server can read or make: it survives restarts and any number of
 * processes, and a demo needs no table of its own.
 */
export function remember({ deps, res }: PageContext, memory: Memory): void {
  const { config, sessionSecrets } = deps;
  const key = keyOf(sessionSecrets[0] ?? '');
  // rather forget what was shown than lose the state that the next answer is compared with
  const versions = [memory, { ...memory, tried: [] }, { ...memory, tried: [], flow: [] }];
  const sealed = versions.map((version) => seal(key, version)).find((value) => value.length <= longest);
  res.cookie(cookieName, sealed ?? '', {
    httpOnly: true,
    // Lax, not Strict: the callback is reached by a redirect, in the end from wherever the person began
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
  const opened = values.flatMap((value) => sessionSecrets.map((secret) => open(keyOf(secret), value)));
  return opened.find((memory) => memory !== undefined);
}

function keyOf(secret: string): Buffer {
  return createHmac('sha256', secret).update(shape).digest();
}

function seal(key: Buffer, memory: Memory): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(shape);
  const text = Buffer.concat([cipher.update(deflateRawSync(JSON.stringify(memory))), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

function open(key: Buffer, value: string): Memory | undefined {
  const bytes = Buffer.from(value, 'base64url');
  if (bytes.length < 29) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(shape).setAuthTag(bytes.subarray(12, 28));
  const text = decipher.update(bytes.subarray(28));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return JSON.parse(inflateRawSync(text).toString('utf8')) as Memory;
}
