import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { isSignedBy, type Jwt } from '../../lib/jwt.ts';
import { keyFor, readKeySet } from '../../lib/key-set.ts';
import type { JWK } from '../../lib/public-key.ts';
import { isAlgorithmOfWebsite, isForWebsite, type Website } from '../../lib/website.ts';
import { isSignedWithSecret } from '../../lib/website-answer.ts';
import { FetchError, fetchOwnDocument } from '../../web/fetch-document.ts';
import {
  beginFetchOfWebsiteKeys,
  findWebsiteKeys,
  keepWebsiteKeys,
  pauseBetweenFetches,
  type WebsiteKeySet,
} from './website-keys.sql.ts';

/** After this time a set is fetched again, and until then no answer is verified with it. */
const refreshAfter = 300;
/** How long known keys are used while their address does not answer. */
const keptFor = 86_400;
const maxBytes = 64 * 1024;

/**
 * Whether the website has signed the answer. The configuration decides by which algorithms, not the header [8725 §3.1]. A key at an
 * address that is not known may be new, or its site may be away: then it is `unknown`.
 */
export async function isOfWebsite(deps: Deps, website: Website, jwt: Jwt): Promise<boolean | 'unknown'> {
  if ('secret' in website) return isSignedWithSecret(website.secret, jwt);
  if (!isAlgorithmOfWebsite(jwt.header.alg)) return false;
  const choose = (keys: readonly JWK[]) => keyFor(jwt.header, keys.filter(isForWebsite));
  const isAtAddress = 'jwks_uri' in website;
  const key = isAtAddress ? await findFetchedKey(deps, website.jwks_uri, choose) : choose(website.keys);
  if (key === undefined) return isAtAddress ? 'unknown' : false;
  return isSignedBy(key, jwt);
}

async function findFetchedKey<Key>(
  deps: Deps,
  uri: string,
  choose: (keys: readonly JWK[]) => Key | undefined,
): Promise<Key | undefined> {
  const stored = await findWebsiteKeys(deps.database, uri);
  const known = isYounger(stored, refreshAfter) ? choose(stored.keys) : undefined;
  if (known) return known;
  await refresh(deps, uri);
  const latest = await findWebsiteKeys(deps.database, uri);
  return isYounger(latest, keptFor) ? choose(latest.keys) : undefined;
}

const isYounger = (set: WebsiteKeySet | undefined, seconds: number): set is WebsiteKeySet & { keys: JWK[] } =>
  set?.keys != null && set.age !== null && set.age >= 0 && set.age <= seconds;

/** Fetches in progress by address; requests of the same moment share a fetch. */
const fetches = new Map<string, Promise<void>>();

async function refresh(deps: Deps, uri: string): Promise<void> {
  const fetch = fetches.get(uri) ?? fetchKeys(deps, uri).finally(() => fetches.delete(uri));
  fetches.set(uri, fetch);
  await fetch;
}

async function fetchKeys({ config, database, log }: Deps, uri: string): Promise<void> {
  if (!(await beginFetchOfWebsiteKeys(database, uri))) return awaitOtherInstance(database, uri);
  try {
    await keepWebsiteKeys(database, uri, await fetchWebsiteKeys(uri, config.issuer));
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    log.warn({ reason: error.message }, 'the keys at SIGN_IN_JWKS could not be fetched');
  }
}

/** Fetches the keys at an address. */
export async function fetchWebsiteKeys(uri: string, issuer: string): Promise<JWK[]> {
  const { body } = await fetchOwnDocument(uri, { issuer, maxBytes });
  const keys = readKeySet(body)?.keys.filter(isForWebsite) ?? [];
  if (keys.length === 0) throw new FetchError('it is not a set of one to ten public keys, EC P-256 or Ed25519');
  return keys;
}

const [watches, betweenWatchesMs] = [10, 200];

/** Waits while another instance may be fetching the first set. */
async function awaitOtherInstance(database: Deps['database'], uri: string): Promise<void> {
  for (let watch = 0; watch < watches; watch += 1) {
    if (isYounger(await findWebsiteKeys(database, uri), pauseBetweenFetches)) return;
    await pause(betweenWatchesMs);
  }
}
