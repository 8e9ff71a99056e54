import type { LookupAddress } from 'node:dns';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { get } from 'node:https';
import type { LookupFunction } from 'node:net';
import { OAuthError } from '../protocol/errors.ts';
import { publicHttpsUrl } from '../protocol/public-address.ts';
import { counter } from '../telemetry/metric.ts';
import { findPublicAddresses } from './addresses.ts';

/** For everything together: DNS, connection, TLS and body. */
const deadlineMs = 5000;
const defaultMaxBytes = 5 * 1024;
/** Each may take the whole deadline, so this is the limit of what a hostile site can occupy. */
const maxAtOnce = 20;
let running = 0;

const fetches = counter('latchkey_outbound_fetches_total', 'Documents fetched from sites of clients.', {
  outcome: ['fetched', 'failed', 'too_many'],
});

export interface FetchedDocument {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** Why there is no document; the message continues a sentence about it, in fixed words. */
export class FetchError extends Error {
  /** of the response, if there was one */
  readonly status: number | undefined;

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/**
 * Fetches a JSON document whose URL a stranger chose. Its host is resolved once, every address of it must be public, and the
 * connection goes to one of these addresses: a second look-up could answer with a private one. All of that for the first URL
 * only, so a redirect is an error.
 */
export async function fetchDocument(text: string, maxBytes = defaultMaxBytes): Promise<FetchedDocument> {
  const url = publicHttpsUrl(text);
  if (!url) throw new FetchError('its URL is not of the form https://host.example/path');
  if (running >= maxAtOnce) {
    const headers = { 'Retry-After': '5' };
    fetches.add('too_many');
    throw new OAuthError('temporarily_unavailable', 'the server is fetching too many documents, try again', {
      headers,
    });
  }
  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(), deadlineMs);
  running += 1;
  try {
    const addresses = await findPublicAddresses(url.hostname, abort.signal);
    if (addresses.length === 0) throw new FetchError('its host has no address in the public internet');
    const response = await request(url, addresses, abort.signal);
    refuseUnusable(response);
    const body = await readBody(response, maxBytes);
    fetches.add('fetched');
    return { body, headers: response.headers };
  } catch (error) {
    fetches.add('failed');
    if (error instanceof FetchError) throw error;
    if (abort.signal.aborted) throw new FetchError('it was not received within five seconds');
    throw new FetchError('its server cannot be reached by HTTPS with a valid certificate', { cause: error });
  } finally {
    running -= 1;
    clearTimeout(deadline);
    // closes the connection, whatever is still to come
    abort.abort();
  }
}

function request(url: URL, addresses: LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  // later, because otherwise a connection can fail before the request listens for errors, which would end the process
  const lookup: LookupFunction = (_host, _options, callback) => setImmediate(callback, null, addresses);
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'latchkey' };
  // without an agent, no connection is kept or shared; the certificate is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says
  const options = { agent: false, autoSelectFamily: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;
  return new Promise((resolve, reject) => {
    get(url, { ...options, lookup, headers, signal }, resolve).on('error', reject);
  });
}

function refuseUnusable({ statusCode: status = 0, headers }: IncomingMessage): void {
  if (status >= 300 && status < 400) {
    throw new FetchError(`its server answers with status ${status}, and redirects are not followed`, { status });
  }
  if (status !== 200) throw new FetchError(`its server answers with status ${status}`, { status });
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new FetchError('its content type is not application/json');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new FetchError('it is sent compressed');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new FetchError(`it is larger than ${maxBytes / 1024} KB`);
    chunks.push(chunk);
  }
  try {
    return utf8.decode(Buffer.concat(chunks));
  } catch {
    throw new FetchError('it is not UTF-8');
  }
}
