import type { Deps } from '../../deps.ts';
import { tooManyRequests } from '../../grants/client.ts';
import { refuseHosts, refuseProblems } from '../../grants/self-registration.ts';
import { harmlessScopes, readMetadata, withoutNull } from '../../http/client-metadata.ts';
import { FetchError, fetchDocument } from '../../outbound/fetch-document.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { freshFor } from '../../protocol/freshness.ts';
import { networkOf } from '../../protocol/network.ts';
import { parseJsonObject } from '../../protocol/parameters.ts';
import { publicHttpsUrl } from '../../protocol/public-address.ts';
import { knownScope, type ScopeCatalogue } from '../../protocol/scope.ts';
import { hostsOf } from '../../protocol/site.ts';
import { countAttempt } from '../../store/attempts.ts';
import {
  type DocumentedClient,
  findDocumentState,
  keepClientDocument,
  withdrawClientDocument,
} from '../../store/client-documents.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';

/**
 * Makes sure that a client whose client_id is a URL is registered as the document there describes it
 * [draft-ietf-oauth-client-id-metadata-document]. From then on it is a client like any other: its codes and tokens need no
 * fetch. If its site cannot be reached, what was fetched within a day still counts.
 */
export async function updateFromDocument(deps: Deps, client_id: string, address: string): Promise<void> {
  const url = publicHttpsUrl(client_id);
  if (!url) return;
  const state = await findDocumentState(deps.database, client_id);
  if (state === 'registered') return;
  if (!deps.config.client_id_documents) {
    const reason = 'client ID metadata documents are switched off';
    throw new OAuthError('invalid_client', 'client_id names no application registered here', { status: 400, reason });
  }
  if (state === 'fresh') return;
  try {
    await fetchOnce(deps, url, address);
  } catch (error) {
    const isUsable = error instanceof OAuthError && (await findDocumentState(deps.database, client_id)) === 'stale';
    if (!isUsable) throw error;
    deps.log.warn({ client_id, reason: error.reason }, 'a client metadata document is kept, although it is due');
  }
}

/** The last fetch of a URL, while it is in progress and, if it failed, for a minute. */
interface Fetch {
  outcome: Promise<void>;
  until: number;
}

const fetches = new Map<string, Fetch>();
const [pauseMs, maxFetches] = [60_000, 1000];

function lastFetch({ href }: URL): Promise<void> | undefined {
  const last = fetches.get(href);
  return last && last.until > Date.now() ? last.outcome : undefined;
}

/** Requests of one moment share a fetch, and its failure is the answer for a minute. The pause of one URL delays no other. */
async function fetchOnce(deps: Deps, url: URL, address: string): Promise<void> {
  const last = lastFetch(url);
  if (last) return last;
  await limitFetches(deps, address);
  return lastFetch(url) ?? startFetch(deps, url);
}

function startFetch(deps: Deps, url: URL): Promise<void> {
  const [oldest] = fetches.keys();
  if (oldest !== undefined && fetches.size >= maxFetches) fetches.delete(oldest);
  const started = { outcome: fetchAndKeep(deps, url), until: Number.POSITIVE_INFINITY };
  fetches.set(url.href, started);
  started.outcome.then(
    () => fetches.delete(url.href),
    (error: unknown) => {
      const isOfDocument = error instanceof OAuthError && error.code === 'invalid_client';
      started.until = isOfDocument ? Date.now() + pauseMs : 0;
    },
  );
  return started.outcome;
}

/** One network must not use this server to send requests to the sites of others. */
async function limitFetches({ database }: Deps, address: string): Promise<void> {
  const limit = { key: `client-document ${networkOf(address)}`, free: 60, pause: 10, longest: 900 };
  const wait = await countAttempt(database, limit);
  if (wait > 0) throw tooManyRequests(wait);
}

async function fetchAndKeep(deps: Deps, url: URL): Promise<void> {
  const { database, log } = deps;
  const client_id = url.href;
  try {
    await refuseHosts(deps, [url.hostname]);
    const { body, headers } = await fetchDocument(client_id);
    const client = readDocument(deps, body, url, await findScopeCatalogue(database));
    await refuseHosts(deps, hostsOf(client.redirect_uris));
    const { problems } = await keepClientDocument(database, client, freshFor(headers));
    refuseProblems(problems);
    log.info({ client_id }, 'client metadata document fetched');
  } catch (error) {
    const isGone = error instanceof FetchError && (error.status === 404 || error.status === 410);
    if (isGone) await withdrawClientDocument(database, client_id);
    throw isProblem(error) ? unusable(error) : error;
  }
}

type DocumentProblem = FetchError | OAuthError;

function isProblem(error: unknown): error is DocumentProblem {
  return error instanceof FetchError || (error instanceof OAuthError && error.status < 500);
}

function unusable({ message, cause }: DocumentProblem): OAuthError {
  const description = `the metadata document at client_id cannot be used: ${message}`;
  const code = (cause as { code?: string } | undefined)?.code;
  const reason = code === undefined ? description : `${description} (${code})`;
  return new OAuthError('invalid_client', description, { status: 400, reason });
}

/** The same members as in a registration; the client cannot have a secret, since everybody can read the document. */
function readDocument(
  { config }: Deps,
  body: string,
  { href, hostname }: URL,
  catalogue: ScopeCatalogue,
): DocumentedClient {
  const members = withoutNull(parseJsonObject(body));
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method = 'none', scope } = members;
  if (client_id !== href) throw new FetchError('the client_id in it is not exactly its URL');
  if (client_secret !== undefined || client_secret_expires_at !== undefined) {
    throw new FetchError('it has a client_secret, which everybody can read');
  }
  if (String(token_endpoint_auth_method).startsWith('client_secret_')) {
    throw new FetchError('its token_endpoint_auth_method needs a secret, which everybody could read');
  }
  // it is written for all servers and may name scopes of others
  const known = typeof scope === 'string' ? knownScope(catalogue, scope) : scope;
  const stated = { ...members, token_endpoint_auth_method, scope: known };
  const metadata = readMetadata(config, stated, catalogue, harmlessScopes(catalogue));
  return { ...metadata, client_id: href, name: metadata.client_name ?? hostname, site_domain: hostname };
}
