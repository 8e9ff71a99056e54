import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { seal, unseal } from '../lib/sealing.ts';
import type { AuthorizationDetail } from '../oauth/choice/authorization-details.ts';
import type { PageContext } from '../web/page-context.ts';
import type { DpopKey } from './dpop-key.ts';
import type { HttpExchange, PlaygroundMode } from './playground.view.ts';

/** An authorization request that waits for its answer. */
export interface Pending {
  state: string;
  code_verifier: string;
  prompt?: 'consent' | undefined;
  /** whether to redeem the code with a wrong code_verifier, on purpose */
  wrong_verifier?: boolean | undefined;
  /** the key of a bound flow; each flow has its own, and only this cookie has it */
  key?: DpopKey | undefined;
  /** how the request was pushed */
  pushed?: HttpExchange | undefined;
}

/** The credentials of the client; those that have ended are removed. */
export interface Holding {
  code?: string | undefined;
  code_verifier?: string | undefined;
  access_token?: string | undefined;
  refresh_token?: string | undefined;
  /** to which the tokens are bound */
  key?: DpopKey | undefined;
  /** the nonce of the latest answer that had a nonce [9449 §8.2] */
  nonce?: string | undefined;
  name?: string | undefined;
  /** one of several things that the person has chosen */
  chosen?: AuthorizationDetail | undefined;
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

/** Returns the kind of flow: only a flow with bound tokens has a key. */
export function modeOf({ key }: { key?: DpopKey | undefined }): PlaygroundMode {
  return key ? 'bound' : 'plain';
}

const cookieName = 'playground';
const lifetime = 3600;
/** browsers keep 4096 bytes for name and value together */
const maxLength = 4000;
/** change the number when the type Memory changes */
const purpose = 'playground memory 3';

/** The memory is an encrypted cookie, so that it survives restarts and works with several processes without a table. */
export function remember({ deps, res }: PageContext, memory: Memory): void {
  const { config, sessionSecrets } = deps;
  res.cookie(cookieName, fitting(sessionSecrets[0] ?? '', memory), {
    httpOnly: true,
    // not Strict: the redirect to the callback can begin at another site
    sameSite: 'lax',
    secure: config.secure,
    path: `${config.base}/playground`,
    maxAge: lifetime * 1000,
    encode: String,
  });
}

/**
 * Shortens a memory that is too long for a cookie: it loses its exchanges, the earlier ones first; the state of the pending request must
 * remain.
 */
function fitting(secret: string, memory: Memory): string {
  for (const candidate of [memory, { ...memory, flow: [] }, { ...memory, flow: [], tried: [] }]) {
    const value = close(secret, candidate);
    if (value.length <= maxLength) return value;
  }
  return '';
}

export function recall({ deps: { sessionSecrets }, req }: PageContext): Memory | undefined {
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const values = pairs
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  const opened = values.map((value) => open(sessionSecrets, value));
  return opened.find((memory) => memory !== undefined);
}

function open(secrets: readonly string[], value: string): Memory | undefined {
  const content = unseal(secrets, purpose, Buffer.from(value, 'base64url'));
  return content && (JSON.parse(brotliDecompressSync(content).toString('utf8')) as Memory);
}

function close(secret: string, memory: Memory): string {
  return seal(secret, purpose, brotliCompressSync(JSON.stringify(memory))).toString('base64url');
}
