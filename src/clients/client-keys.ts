import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { OAuthError } from '../lib/errors.ts';
import { readKeySet } from '../lib/key-set.ts';
import type { JWK } from '../lib/public-key.ts';
import { FetchError, fetchDocument } from '../web/fetch-document.ts';
import { beginFetchOfKeys, endFetchOfKeys, keepFetchedKeys, pauseAfterFetch } from './client-key-sets.sql.ts';
import { type ClientWithKeys, findAnyClient } from './clients.sql.ts';

// The public keys of clients. A client that publishes them can replace them by itself, so they are fetched again now and then;
// what a site answers can neither empty nor delay what is known of other sites. The sets are in the database, for all instances.

const minute = 60;
/** After this time a set is fetched again, while requests still use it. */
const refreshAfter = 5 * minute;
/** After this time requests wait for the fetch, so a key that was removed is refused from then on. */
const maxAge = 10 * minute;
/** How long a set is used if its site does not answer with a valid set. */
const keptFor = 60 * minute;
const maxBytes = 64 * 1024;

/**
 * The key of a client that `choose` finds among its keys; keys at a jwks_uri are fetched again if `choose` finds none. Undefined only
 * if there certainly is no such key: otherwise the client would take a slow site, or this server's limits, for a refusal.
 */
export async function findClientKey<Key>(
  deps: Deps,
  client: ClientWithKeys,
  choose: (keys: readonly JWK[]) => Key | undefined,
): Promise<Key | undefined> {
  const age = ageOf(client);
  if (age > refreshAfter && age <= maxAge) refreshInBackground(deps, client);
  const known = age > maxAge ? undefined : choose(keysOf(client));
  if (known || isRecent(client)) return known;
  const latest = await refresh(deps, client);
  const found = choose(keysOf(latest));
  if (found || isRecent(latest)) return found;
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(latest.next_fetch_in ?? 0))) };
  const description = 'the keys at the jwks_uri of the client cannot be fetched, try again';
  throw new OAuthError('temporarily_unavailable', description, { headers });
}

function ageOf({ jwks_uri, published_keys_age: age }: ClientWithKeys): number {
  if (jwks_uri === null) return 0;
  if (age === null) return Number.POSITIVE_INFINITY;
  // fetched before the clock of the database went back
  return age < 0 ? maxAge + 1 : age;
}

function keysOf(client: ClientWithKeys): readonly JWK[] {
  if (client.jwks_uri === null) return client.jwks?.keys ?? [];
  return ageOf(client) < keptFor ? (client.published_keys ?? []) : [];
}

/** Whether a key missing in the set certainly does not belong to the client: the site has just said so. */
const isRecent = (client: ClientWithKeys) => ageOf(client) <= pauseAfterFetch;

/** A longer wait was set before the clock of the database went back. */
const isPaused = ({ next_fetch_in: wait }: ClientWithKeys) => wait !== null && wait > 0 && wait <= pauseAfterFetch;

/** Fetches in progress by client and address; requests of the same moment share a fetch. */
const fetches = new Map<string, Promise<void>>();

function refreshInBackground(deps: Deps, client: ClientWithKeys): void {
  refresh(deps, client).catch((err: unknown) => {
    deps.log.warn({ err, client_id: client.client_id }, 'the keys of a client could not be refreshed');
  });
}

/** Returns the client with the keys known after a fetch, or the client as it is during the pause after the last fetch. */
async function refresh(deps: Deps, client: ClientWithKeys): Promise<ClientWithKeys> {
  const { client_id, jwks_uri } = client;
  if (jwks_uri === null || isPaused(client)) return client;
  const name = `${client_id} ${jwks_uri}`;
  const fetch = fetches.get(name) ?? fetchKeys(deps, { ...client, jwks_uri }).finally(() => fetches.delete(name));
  fetches.set(name, fetch);
  await fetch;
  return (await findAnyClient(deps.database, client_id)) ?? client;
}

type Publisher = ClientWithKeys & { jwks_uri: string };

async function fetchKeys(deps: Deps, client: Publisher): Promise<void> {
  const { config, database, log } = deps;
  const { client_id, jwks_uri, vouched: is_vouched, published_keys } = client;
  if (!(await beginFetchOfKeys(database, client))) return awaitOtherInstance(deps, client_id);
  try {
    const options = { issuer: config.issuer, maxBytes, is_vouched, is_known: published_keys !== null };
    const { body } = await fetchDocument(jwks_uri, options);
    const set = readKeySet(body);
    if (!set) throw new FetchError('it is not a set of one to ten public keys that can be used');
    if (set.unused.length > 0) {
      log.warn({ client_id, jwks_uri, reasons: set.unused.slice(0, 10) }, 'some keys of a client are not used');
    }
    await keepFetchedKeys(database, client, set.keys);
  } catch (error) {
    const wasAsked = error instanceof FetchError;
    await endFetchOfKeys(database, client, wasAsked);
    if (!wasAsked && !(error instanceof OAuthError)) throw error;
    log.warn({ client_id, jwks_uri, reason: error.message }, 'the keys of a client could not be fetched');
  }
}

const [watches, betweenWatchesMs] = [30, 200];

/** Waits until the fetch of another instance is over, if there is one. */
async function awaitOtherInstance({ database }: Deps, client_id: string): Promise<void> {
  for (let watch = 0; watch < watches; watch += 1) {
    const client = await findAnyClient(database, client_id);
    if (!client?.is_being_fetched) return;
    await pause(betweenWatchesMs);
  }
}
