import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { get as getByTls } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { OAuthError } from '../lib/errors.ts';
import { networkOf, prefixOf } from '../lib/network.ts';
import { http } from '../lib/node-http.ts';
import { isPublicAddress, publicHttpsUrl } from '../lib/public-address.ts';
import { registrableDomain } from '../lib/public-suffix.ts';
import { rasterTypeOf, rasterTypes } from '../lib/raster-image.ts';
import { counter } from '../telemetry/metric.ts';
import { createFetchSlots, type FetchSlots, SlotsTakenError } from './fetch-slots.ts';

/** The limit of DNS, connection, TLS and body together, without the wait for a place. */
const deadlineMs = 5000;
/** The longest wait for a place, at the DNS and at the site together. */
const patienceMs = 5000;
const tooSlow = 'it was not received within five seconds';
const defaultMaxBytes = 5 * 1024;

/**
 * Sites of clients for which an administrator vouches do not share places with those of strangers, which may be slow on purpose.
 * No site and no network of sites (an IPv4 /24, an IPv6 /48) has more than a few of the other places.
 */
const slots = {
  vouched: createPlaces({ atOnce: 20, perKey: 10, waiting: 200 }),
  others: createPlaces({ atOnce: 12, perKey: 3, waiting: 100 }),
};

function createPlaces(limits: Parameters<typeof createFetchSlots>[0]) {
  return { lookups: createFetchSlots(limits), connections: createFetchSlots(limits) };
}

/**
 * Fetches a minute from a site or an address, whoever asks for them. A site that has never answered well may belong to somebody who
 * knows nothing of the fetches.
 */
const budgets = { known: createFetchBudget(300), unknown: createFetchBudget(30) };

const fetches = counter('latchkey_outbound_fetches_total', 'Documents and logos fetched from sites of clients.', {
  outcome: ['fetched', 'failed', 'too_many'],
});

interface Fetched<Body> {
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
}

/** What is fetched: how to ask for it, and how to read it. */
interface Kind<Body> {
  readonly accept: string;
  readonly types: string;
  isType(type: string): boolean;
  read(bytes: Buffer, type: string): Body;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const json: Kind<string> = {
  accept: 'application/json',
  types: 'application/json',
  isType: (type) => /^application\/([\w.-]+\+)?json$/.test(type),
  read(bytes) {
    try {
      return utf8.decode(bytes);
    } catch {
      throw new FetchError('it is not UTF-8');
    }
  },
};

const image: Kind<Buffer> = {
  accept: rasterTypes.join(', '),
  types: 'that of a PNG, JPEG, GIF or WebP image',
  isType: (type) => rasterTypes.includes(type),
  read(bytes, type) {
    if (rasterTypeOf(bytes) !== type) throw new FetchError('its bytes are not what its content type says');
    return bytes;
  },
};

interface FetchOptions {
  /** names this server to the site */
  readonly issuer: string;
  readonly maxBytes?: number;
  /** whether an administrator vouches for the client */
  readonly is_vouched: boolean;
  /** whether this address has answered well before */
  readonly is_known: boolean;
}

/** Says why there is no document; the message continues a sentence about it, in fixed words. */
export class FetchError extends Error {
  /** the status of the response, if there was a response */
  readonly status: number | undefined;

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** Fetches a JSON document whose URL a stranger chose. */
export function fetchDocument(text: string, options: FetchOptions): Promise<Fetched<string>> {
  return fetchFromStranger(text, json, options);
}

/** Fetches a raster image whose URL a stranger chose. */
export async function fetchImage(text: string, options: FetchOptions): Promise<Buffer> {
  return (await fetchFromStranger(text, image, options)).body;
}

/**
 * Fetches what is at a URL that a stranger chose. Its host is resolved once, every address of the host must be public, and the
 * connection goes to one of these addresses: a second look-up could answer with a private address. Only the first URL is checked
 * like this, so a redirect is an error. An OAuthError says that the site was not asked, because of too many other fetches.
 */
async function fetchFromStranger<Body>(text: string, kind: Kind<Body>, options: FetchOptions): Promise<Fetched<Body>> {
  const url = publicHttpsUrl(text);
  if (!url) throw new FetchError('its URL is not of the form https://host.example/path');
  const { issuer, maxBytes = defaultMaxBytes } = options;
  const site = registrableDomain(url.hostname);
  const { lookups, connections } = options.is_vouched ? slots.vouched : slots.others;
  const places = { site, patient_until: performance.now() + patienceMs };
  spend(options, [site]);
  try {
    const { addresses, tookMs } = await inPlace(lookups, { ...places, networks: [] }, () => findAddresses(url));
    const hosts = addresses.map(({ address }) => address);
    spend(options, [...new Set(hosts.map(networkOf))]);
    const networks = [...new Set(hosts.map(prefixOf))];
    const read = () => readAnswer(url, kind, { addresses, issuer, maxBytes, deadlineMs: deadlineMs - tookMs });
    const fetched = await inPlace(connections, { ...places, networks }, read);
    fetches.add('fetched');
    return fetched;
  } catch (error) {
    if (!(error instanceof OAuthError)) fetches.add('failed');
    throw error;
  }
}

/**
 * Fetches a JSON document whose URL the operator chose. The host may be in a private network and, on this machine, without TLS; so
 * the system resolves its name. Nobody else decides when, and how often.
 */
export async function fetchOwnDocument(
  text: string,
  { issuer, maxBytes = defaultMaxBytes }: Pick<FetchOptions, 'issuer' | 'maxBytes'>,
): Promise<Fetched<string>> {
  const url = new URL(text);
  const addresses = await lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => {
    throw new FetchError('its host is unknown');
  });
  return readAnswer(url, json, { addresses, issuer, maxBytes, deadlineMs });
}

function spend({ is_vouched, is_known }: FetchOptions, keys: string[]): void {
  if (is_vouched) return;
  if (!(is_known ? budgets.known : budgets.unknown).spend(keys)) throw tooManyFetches('60');
}

function tooManyFetches(retryAfter: string): OAuthError {
  fetches.add('too_many');
  const headers = { 'Retry-After': retryAfter };
  return new OAuthError('temporarily_unavailable', 'the server is fetching too many documents, try again', { headers });
}

interface Place {
  readonly site: string;
  readonly networks: readonly string[];
  readonly patient_until: number;
}

async function inPlace<T>(
  places: FetchSlots,
  { site, networks, patient_until }: Place,
  run: () => Promise<T>,
): Promise<T> {
  const patience = Math.max(0, patient_until - performance.now());
  const leave = await places.take([site, ...networks], patience).catch((error: unknown) => {
    throw error instanceof SlotsTakenError ? tooManyFetches('5') : error;
  });
  try {
    return await run();
  } finally {
    leave();
  }
}

async function findAddresses({ hostname }: URL): Promise<{ addresses: LookupAddress[]; tookMs: number }> {
  const start = performance.now();
  const addresses = await findPublicAddresses(hostname, AbortSignal.timeout(deadlineMs)).catch(() => {
    throw new FetchError(tooSlow);
  });
  if (addresses.length === 0) throw new FetchError('its host has no address in the public internet');
  return { addresses, tookMs: performance.now() - start };
}

interface Reading {
  readonly addresses: LookupAddress[];
  readonly issuer: string;
  readonly maxBytes: number;
  readonly deadlineMs: number;
}

async function readAnswer<Body>(
  url: URL,
  kind: Kind<Body>,
  { addresses, issuer, maxBytes, deadlineMs }: Reading,
): Promise<Fetched<Body>> {
  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(), deadlineMs);
  try {
    const response = await request(url, { addresses, issuer, accept: kind.accept, signal: abort.signal });
    const { headers } = response;
    refuseUnusable(response);
    const [stated = ''] = (headers['content-type'] ?? '').split(';', 1);
    const type = stated.trim().toLowerCase();
    if (!kind.isType(type)) throw new FetchError(`its content type is not ${kind.types}`);
    return { body: kind.read(await readBody(response, maxBytes), type), headers };
  } catch (error) {
    if (error instanceof FetchError) throw error;
    if (abort.signal.aborted) throw new FetchError(tooSlow);
    throw new FetchError('its server cannot be reached by HTTPS with a valid certificate', { cause: error });
  } finally {
    clearTimeout(deadline);
    // closes the connection, whatever is still to come
    abort.abort();
  }
}

interface Asking extends Pick<Reading, 'addresses' | 'issuer'> {
  readonly accept: string;
  readonly signal: AbortSignal;
}

function request(url: URL, { addresses, issuer, accept, signal }: Asking): Promise<IncomingMessage> {
  // later, because otherwise a connection can fail before the request listens for errors, which would end the process
  const toAddresses: LookupFunction = (_host, _options, callback) => setImmediate(callback, null, addresses);
  // the operator of the site learns whom to ask; a version would only help attackers
  const agent = `Latchkey (+${issuer})`;
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': agent };
  // without an agent, no connection is kept or shared; the certificate is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says
  const options = { agent: false, autoSelectFamily: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;
  return new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? getByTls : http.get;
    get(url, { ...options, lookup: toAddresses, headers, signal }, resolve).on('error', reject);
  });
}

function refuseUnusable({ statusCode: status = 0, headers }: IncomingMessage): void {
  if (status >= 300 && status < 400) {
    throw new FetchError(`its server answers with status ${status}, and redirects are not followed`, { status });
  }
  if (status !== 200) throw new FetchError(`its server answers with status ${status}`, { status });
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new FetchError('it is sent compressed');
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new FetchError(`it is larger than ${maxBytes / 1024} KB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The most addresses of a host, of IPv4 and of IPv6 each. */
const maxAddresses = 4;

/**
 * The first addresses of a host, none if one of them is not public. Only the DNS is asked: /etc/hosts and search domains give
 * names a meaning that is private.
 */
async function findPublicAddresses(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  // three seconds if no server answers, which leaves time for a host whose server answers one of the questions only
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel());
  // most hosts lack one of the two kinds, which the resolver reports as an error
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.throwIfAborted();
  const kinds = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (!kinds.flat().every(isPublicAddress)) return [];
  const addresses = kinds.flatMap((kind) => kind.slice(0, maxAddresses));
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

/** How many fetches each site and address may get in a minute; they become available again one by one. */
interface FetchBudget {
  /** False if this was one too many for one of the keys: then nothing is taken. */
  spend(keys: readonly string[]): boolean;
}

const minuteMs = 60_000;
/** How many sites and addresses are remembered, those that were used last. An older one had its minute long ago, unless there is a flood of new ones. */
const maxKeys = 10_000;

function createFetchBudget(perMinute: number): FetchBudget {
  const left = new Map<string, { fetches: number; at: number }>();

  function available(key: string, now: number): number {
    const { fetches, at } = left.get(key) ?? { fetches: perMinute, at: now };
    return Math.min(perMinute, fetches + ((now - at) / minuteMs) * perMinute);
  }

  return {
    spend(keys) {
      const now = performance.now();
      if (keys.some((key) => available(key, now) < 1)) return false;
      for (const key of keys) {
        const fetches = available(key, now) - 1;
        // to the end, as the key that was used last
        left.delete(key);
        left.set(key, { fetches, at: now });
      }
      for (const key of left.keys()) {
        if (left.size <= maxKeys) break;
        left.delete(key);
      }
      return true;
    },
  };
}
