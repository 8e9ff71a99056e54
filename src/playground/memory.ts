import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PageContext } from '../pages/page-context.ts';
import type { HttpExchange } from '../pages/views/playground.ts';
import { seal, unseal } from '../protocol/sealing.ts';

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
/** change the number when the type Memory changes */
const purpose = 'playground memory 2';

/** The memory is an encrypted cookie, so that it survives restarts and works with several processes without a table. */
export function remember({ deps, res }: PageContext, memory: Memory): void {
  const { config, sessionSecrets } = deps;
  // what is too long for a cookie loses its exchanges first; the state of the pending request must remain
  const candidates = [memory, { ...memory, tried: [] }, { ...memory, tried: [], flow: [] }];
  const values = candidates.map((candidate) => close(sessionSecrets[0] ?? '', candidate));
  res.cookie(cookieName, values.find((value) => value.length <= maxLength) ?? '', {
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
  const opened = values.map((value) => open(sessionSecrets, value));
  return opened.find((memory) => memory !== undefined);
}

function open(secrets: readonly string[], value: string): Memory | undefined {
  const content = unseal(secrets, purpose, Buffer.from(value, 'base64url'));
  return content && (JSON.parse(inflateRawSync(content).toString('utf8')) as Memory);
}

function close(secret: string, memory: Memory): string {
  return seal(secret, purpose, deflateRawSync(JSON.stringify(memory))).toString('base64url');
}
