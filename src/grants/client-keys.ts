import type { Deps } from '../deps.ts';
import { FetchError, fetchDocument } from '../outbound/fetch-document.ts';
import type { JWK } from '../protocol/client-jwt.ts';
import { readKeySet } from '../protocol/client-keys.ts';
import type { Client } from '../store/clients.ts';

// The public keys of clients. A client that publishes them can replace them by itself, so they are fetched again now and then,
// by each process for itself; what a site answers can neither empty nor delay what is known of other sites.

const minute = 60_000;
/** A set that is older is fetched again, while requests still use it. */
const refreshAfter = 5 * minute;
/** Requests do not use an older set before that fetch is over. A key that was removed is refused from then on. */
const maxAge = 10 * minute;
/** How long a set is used if its site answers no better one. */
const keptFor = 60 * minute;
/** Between two fetches, also after one that failed. */
const coolDown = 30_000;
const maxSources = 1000;
const maxBytes = 64 * 1024;

/** What is known of one jwks_uri. */
interface Source {
  keys: readonly JWK[];
  fetchedAt: number;
  nextFetchAt: number;
  fetch: Promise<void> | undefined;
}

const sources = new Map<string, Source>();

/** The key of a client that `choose` finds among its keys; those at a jwks_uri are fetched again if it finds none. */
export async function findClientKey(
  deps: Deps,
  { jwks, jwks_uri }: Client,
  choose: (keys: readonly JWK[]) => JWK | undefined,
): Promise<JWK | undefined> {
  if (jwks_uri === null) return choose(jwks?.keys ?? []);
  const source = sourceOf(jwks_uri);
  const age = Date.now() - source.fetchedAt;
  const refreshed = age > refreshAfter ? refresh(deps, jwks_uri, source) : undefined;
  if (age > maxAge) await refreshed;
  const known = choose(keysOf(source));
  if (known) return known;
  await refresh(deps, jwks_uri, source);
  return choose(keysOf(source));
}

const keysOf = ({ keys, fetchedAt }: Source) => (Date.now() - fetchedAt < keptFor ? keys : []);

function sourceOf(jwks_uri: string): Source {
  const known = sources.get(jwks_uri);
  if (known) return known;
  const [oldest] = sources.keys();
  if (oldest !== undefined && sources.size >= maxSources) sources.delete(oldest);
  const source = { keys: [], fetchedAt: 0, nextFetchAt: 0, fetch: undefined };
  sources.set(jwks_uri, source);
  return source;
}

/** Requests share a fetch that is in progress, and none begins during the pause after it. */
async function refresh(deps: Deps, jwks_uri: string, source: Source): Promise<void> {
  if (source.fetch === undefined && Date.now() >= source.nextFetchAt) {
    source.nextFetchAt = Date.now() + coolDown;
    source.fetch = fetchKeys(deps, jwks_uri, source).finally(() => {
      source.fetch = undefined;
    });
  }
  await source.fetch;
}

async function fetchKeys({ log }: Deps, jwks_uri: string, source: Source): Promise<void> {
  try {
    const { body } = await fetchDocument(jwks_uri, maxBytes);
    const keys = readKeySet(body);
    if (!keys) throw new FetchError('it is not a set of one to ten public keys');
    source.keys = keys;
    source.fetchedAt = Date.now();
  } catch (error) {
    // the requests that wait, or do not, go on with the keys that are known
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ jwks_uri, reason }, 'the keys of a client could not be fetched');
  }
}
