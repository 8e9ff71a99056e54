import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { readProviderKeys } from '../../lib/provider-keys.ts';
import {
  discoveryUri,
  endpointHosts,
  type ProviderMetadata,
  readProviderMetadata,
} from '../../lib/provider-metadata.ts';
import type { JWK } from '../../lib/public-key.ts';
import {
  beginFetchOfDocument,
  type DocumentSource,
  endFetchOfDocument,
  findProviderDocument,
  keepDocument,
  type StoredDocument,
} from './provider-documents.sql.ts';
import { ProviderAwayError, type ProviderFetch } from './provider-fetch.ts';
import type { Provider } from './providers.sql.ts';

// The metadata and keys of providers: fetched at first use, and again when they are too old. They are in the database, so that all
// instances together ask a provider once, and a restart while it is away forgets nothing.

const [minute, hour, day] = [60, 3600, 86_400];

/** A kind of document, and for how long it is good. */
interface Publication<T> extends DocumentSource {
  read(body: string, known: T | undefined): T | string;
  /** an older one is fetched again before it is used */
  refreshAfter: number;
  /** how long an older document is used if the provider is away */
  usableFor: number;
}

type DocumentDeps = Pick<Deps, 'database' | 'log'>;

export function findMetadata(deps: DocumentDeps, provider: Provider, fetch: ProviderFetch): Promise<ProviderMetadata> {
  return findDocument<ProviderMetadata>(deps, fetch, {
    name: provider.name,
    kind: 'metadata',
    uri: discoveryUri(provider.issuer),
    read: (body, known) => readTrusted(body, provider, known),
    refreshAfter: hour,
    usableFor: 7 * day,
  });
}

function readTrusted(body: string, provider: Provider, known: ProviderMetadata | undefined): ProviderMetadata | string {
  const metadata = readProviderMetadata(body, provider);
  if (typeof metadata === 'string') return metadata;
  const moved = movedHost(provider, metadata, known);
  return moved === undefined ? metadata : `an endpoint has moved to ${moved}, which is not among its endpoint_hosts`;
}

/** Finds a host of the endpoints that neither the operator nor the first metadata has named: the client secret must not go there. */
function movedHost({ endpoint_hosts }: Provider, metadata: ProviderMetadata, known: ProviderMetadata | undefined) {
  const trusted = endpoint_hosts ?? (known && endpointHosts(known));
  return trusted && endpointHosts(metadata).find((host) => !trusted.includes(host));
}

export type MetadataProblem = { kind: 'unreachable' | 'wrong' | 'moved'; reason: string; hosts?: string[] };

/** Finds what is wrong with what the provider publishes now, for `latchkey doctor`; nothing is stored. */
export async function findMetadataProblem(
  { database }: Pick<Deps, 'database'>,
  provider: Provider,
  fetch: ProviderFetch,
): Promise<MetadataProblem | undefined> {
  const uri = discoveryUri(provider.issuer);
  const source = { name: provider.name, kind: 'metadata', uri } as const;
  const known = await findProviderDocument<ProviderMetadata>(database, source);
  try {
    const answer = await fetch(uri, {});
    if (answer.status !== 200) return { kind: 'unreachable', reason: `it answers with status ${answer.status}` };
    const metadata = readProviderMetadata(await answer.text(), provider);
    if (typeof metadata === 'string') return { kind: 'wrong', reason: metadata };
    const moved = movedHost(provider, metadata, known?.content ?? undefined);
    return moved === undefined ? undefined : { kind: 'moved', reason: moved, hosts: endpointHosts(metadata) };
  } catch (error) {
    if (!(error instanceof ProviderAwayError)) throw error;
    return { kind: 'unreachable', reason: error.message };
  }
}

/** The keys of a provider; fetched again if none of them is the named one. */
export function findProviderKeys(
  deps: DocumentDeps,
  { name, id_token_signed_response_alg }: Provider,
  { jwks_uri, kid }: Pick<ProviderMetadata, 'jwks_uri'> & { kid: unknown },
  fetch: ProviderFetch,
): Promise<readonly JWK[]> {
  const publication: Publication<JWK[]> = {
    name,
    kind: 'keys',
    uri: jwks_uri,
    read: (body) => readProviderKeys(body, id_token_signed_response_alg),
    refreshAfter: 10 * minute,
    usableFor: day,
  };
  return findDocument(deps, fetch, publication, (keys) => kid === undefined || keys.some((key) => key.kid === kid));
}

/** Finds a document; if the known one does not satisfy `suffices`, a newer one is fetched. */
async function findDocument<T extends object>(
  deps: DocumentDeps,
  fetch: ProviderFetch,
  publication: Publication<T>,
  suffices: (content: T) => boolean = () => true,
): Promise<T> {
  const { refreshAfter, usableFor } = publication;
  const known = await findProviderDocument<T>(deps.database, publication);
  const content = contentOf(known, refreshAfter);
  if (content && suffices(content)) return content;
  const wasFetched = await refresh(deps, fetch, publication, known?.content ?? undefined);
  const latest = await findProviderDocument<T>(deps.database, publication);
  const usable = contentOf(latest, usableFor);
  if (usable && (wasFetched || suffices(usable))) return usable;
  const wait = Math.max(1, Math.ceil(latest?.next_fetch_in ?? 1));
  throw new ProviderAwayError(`its ${publication.kind} cannot be fetched; the next try is in ${wait} seconds`);
}

function contentOf<T>(document: StoredDocument<T> | undefined, maxAge: number): T | undefined {
  if (!document || document.content === null || document.age === null) return undefined;
  // negative: fetched before the clock of the database went back
  return document.age >= 0 && document.age <= maxAge ? document.content : undefined;
}

/** Fetches the document; returns whether this request has fetched it. */
async function refresh<T extends object>(
  deps: DocumentDeps,
  fetch: ProviderFetch,
  publication: Publication<T>,
  known: T | undefined,
): Promise<boolean> {
  const { database, log } = deps;
  const { name, kind, uri } = publication;
  if (!(await beginFetchOfDocument(database, publication))) {
    await awaitOtherFetch(deps, publication);
    return false;
  }
  try {
    const answer = await fetch(uri, {});
    if (answer.status !== 200) throw new ProviderAwayError(`it answers with status ${answer.status}`);
    const content = publication.read(await answer.text(), known);
    if (typeof content === 'string') throw new ProviderAwayError(content);
    await keepDocument(database, publication, content);
    return true;
  } catch (error) {
    await endFetchOfDocument(database, publication);
    if (!(error instanceof ProviderAwayError)) throw error;
    log.warn({ provider: name, uri, reason: error.message }, `the ${kind} of a provider cannot be used`);
    return false;
  }
}

const [watches, betweenWatchesMs] = [20, 200];

/** Waits until the fetch that another request or instance has begun is over. */
async function awaitOtherFetch({ database }: DocumentDeps, source: DocumentSource): Promise<void> {
  for (let watch = 0; watch < watches; watch += 1) {
    const document = await findProviderDocument(database, source);
    if (!document?.is_being_fetched) return;
    await pause(betweenWatchesMs);
  }
}
