import { request as requestByHttps } from 'node:https';
import { isLoopback } from '../../config/values.ts';
import { http } from '../../lib/node-http.ts';
import { createFetchSlots, SlotsTakenError } from '../../web/fetch-slots.ts';

// Requests to the providers at which people sign in. The operator has chosen them, so their addresses may be private ones; but what
// they answer is bounded as if strangers had: a provider that is slow or broken costs its own sign-ins and nothing else.

/** The time for all requests of one page to a provider, with the wait for a place. */
const conversationMs = 5000;
/** The longest wait for a place. */
const patienceMs = 1500;
const maxBytes = 256 * 1024;
/**
 * Places for requests at the same time, in this process: few enough for a provider that hangs, and many for a provider that
 * answers.
 */
const places = createFetchSlots({ atOnce: 100, perKey: 20, waiting: 200 });

/** Says why a provider has given no answer that could be read; the message continues a sentence about it, in fixed words. */
export class ProviderAwayError extends Error {}

/** The part of `fetch` that is used to talk to a provider. */
export type ProviderFetch = (url: string, init: ProviderRequest) => Promise<Response>;

export interface ProviderRequest {
  method?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: unknown;
}

/**
 * Runs `talk` with a `fetch` whose answers are complete, small and in time: five seconds for all of them. The first request waits
 * for a place.
 */
export async function converse<T>(
  { name, userAgent }: { name: string; userAgent: string },
  talk: (fetch: ProviderFetch) => Promise<T>,
): Promise<T> {
  const ends_at = performance.now() + conversationMs;
  let place: Promise<() => void> | undefined;
  const fetch: ProviderFetch = async (url, init) => {
    place ??= places.take([name], patienceMs);
    await place.catch(refuseWithoutPlace);
    return fetchWithin(ends_at - performance.now(), userAgent, url, init);
  };
  try {
    return await talk(fetch);
  } finally {
    const leave = await place?.catch(() => undefined);
    leave?.();
  }
}

function refuseWithoutPlace(error: unknown): never {
  throw error instanceof SlotsTakenError ? new ProviderAwayError('too many people wait for it') : error;
}

async function fetchWithin(ms: number, agent: string, text: string, init: ProviderRequest): Promise<Response> {
  const url = new URL(text);
  if (!isSecure(url)) throw new ProviderAwayError('one of its addresses is not https');
  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(), Math.max(0, ms));
  try {
    return await send(url, { agent, init, signal: abort.signal });
  } catch (error) {
    if (error instanceof ProviderAwayError) throw error;
    if (abort.signal.aborted) throw new ProviderAwayError('it has not answered within five seconds');
    throw new ProviderAwayError('it cannot be reached, or not with a valid certificate', { cause: error });
  } finally {
    clearTimeout(deadline);
    // closes the connection, whatever is still to come
    abort.abort();
  }
}

/** Whether nobody on the way can play the provider, as anybody could without encryption. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

interface Sending {
  readonly agent: string;
  readonly init: ProviderRequest;
  readonly signal: AbortSignal;
}

function send(url: URL, { agent, init, signal }: Sending): Promise<Response> {
  const { method = 'GET', headers, body } = init;
  const content = body === undefined || body === null ? undefined : Buffer.from(String(body));
  const length = content && { 'content-length': String(content.length) };
  const all = { accept: 'application/json', ...headers, ...length, 'accept-encoding': 'identity', 'user-agent': agent };
  // without an agent, no connection is kept or shared; the certificate is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says
  const options = {
    agent: false,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    method,
    headers: all,
    signal,
  } as const;
  const request = url.protocol === 'https:' ? requestByHttps(url, options) : http.request(url, options);
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (answer) => {
      const { statusCode: status = 0, headers: received } = answer;
      const problem = problemOf(status, received['content-encoding']);
      if (problem !== undefined) return reject(new ProviderAwayError(problem));
      const type = received['content-type'];
      const answered = { status, headers: type === undefined ? {} : { 'content-type': type } };
      readBody(answer).then((text) => resolve(new Response(text, answered)), reject);
    });
    request.end(content);
  });
}

function problemOf(status: number, encoding = 'identity'): string | undefined {
  if (status < 200 || status === 204 || status === 205 || status >= 500 || status === 429) {
    return `it answers with status ${status}`;
  }
  if (status >= 300 && status < 400) return `it answers with status ${status}, and redirects are not followed`;
  return encoding === 'identity' ? undefined : 'its answer is compressed';
}

async function readBody(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ProviderAwayError(`its answer is larger than ${maxBytes / 1024} KB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
