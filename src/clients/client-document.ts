import type { X509Certificate } from 'node:crypto';
import type { Trace } from '../audit/audit.sql.ts';
import { findScopeCatalogue } from '../catalogue/scopes.sql.ts';
import type { Deps } from '../deps.ts';
import { countAttempt } from '../identity/attempt-limits.sql.ts';
import { keyIn } from '../lib/certificate.ts';
import { isClientId, ownDocuments } from '../lib/client-id.ts';
import { type AuthenticationMethod, certificateMethods, clientMethods, provesKey } from '../lib/client-methods.ts';
import { OAuthError, tooManyRequests } from '../lib/errors.ts';
import { freshFor } from '../lib/freshness.ts';
import type { Jwt } from '../lib/jwt.ts';
import { lacksKeyOf } from '../lib/key-set.ts';
import { networkOf } from '../lib/network.ts';
import { parseJsonObject } from '../lib/parameters.ts';
import { publicHttpsUrl } from '../lib/public-address.ts';
import { knownScope, type ScopeCatalogue } from '../lib/scope.ts';
import { hostsOf, sitesAround } from '../lib/site.ts';
import { FetchError, fetchDocument } from '../web/fetch-document.ts';
import { authenticationMethodsOf, isPublic, refuseClient } from './client.ts';
import { supportedMethods } from './client-certificate.ts';
import {
  type DocumentedClient,
  findDocument,
  type KnownDocument,
  keepClientDocument,
  withdrawClientDocument,
} from './client-documents.sql.ts';
import { harmlessScopes, readMetadata, scopeIn, withoutNull } from './client-metadata.ts';
import { type Client, findAnyClient } from './clients.sql.ts';
import { BarredSiteError, refuseHosts, refuseProblems } from './self-registration.ts';

/**
 * Makes sure, before an authorization request is read, that a client whose client_id is a URL is registered as the document at this
 * URL describes it [draft-ietf-oauth-client-id-metadata-document]. From then on the client is like any other. If its site cannot be
 * reached, what was fetched within a day still counts.
 */
export async function updateFromDocument(deps: Deps, client_id: string, address: string): Promise<void> {
  if (isKeptHere(deps, client_id)) {
    const refusal = refusalOf(deps, undefined);
    if (refusal) throw refusal;
    return;
  }
  const url = documentUrl(client_id);
  if (!url) return;
  const known = await findOf(deps, url);
  if (known?.state === 'registered') return;
  const refusal = refusalOf(deps, known);
  if (refusal) throw refusal;
  if (known?.state === 'fresh') return;
  if (known?.state === 'ageing') return fetchInBackground(deps, url, known);
  try {
    await fetchOnce(deps, url, { known, address });
  } catch (error) {
    const isUsable = error instanceof OAuthError && (await findOf(deps, url))?.state === 'stale';
    if (!isUsable) throw error;
    deps.log.warn({ client_id, reason: error.reason }, 'a client metadata document is kept, although it is due');
  }
}

/** Updates a client before it pushes a request: a document that cannot be read does not end the registration of a known client. */
export async function updateBeforePush(deps: Deps, client_id: string, address: string): Promise<void> {
  await updateFromDocument(deps, client_id, address).catch(async (error: unknown) => {
    const url = documentUrl(client_id);
    if (!url || !(error instanceof DocumentError) || error.isGone) throw error;
    throw (await findOf(deps, url))?.state === 'over' ? unavailable(error) : error;
  });
}

/** What a client that is about to authenticate shows of its keys: JWTs, and the certificate of its connection. */
export interface ShownKeys {
  client_id: string;
  method: AuthenticationMethod;
  jwts: readonly Jwt[];
  certificate: X509Certificate | undefined;
}

/**
 * Updates a client that is about to authenticate. It waits for the site only if nothing usable is known of the client: its document
 * is too old to trust a key in it, or lacks the key that the client shows.
 */
export async function refreshDocument(deps: Deps, shown: ShownKeys, trace: Trace): Promise<void> {
  if (isKeptHere(deps, shown.client_id)) {
    const refusal = refusalOf(deps, undefined);
    return refusal && refuseClient(deps, trace, shown.method, refusal.reason);
  }
  const url = documentUrl(shown.client_id);
  const known = url && (await findOf(deps, url));
  if (!known || known.state === 'registered') return;
  const refusal = refusalOf(deps, known);
  if (refusal) return refuseClient(deps, trace, shown.method, refusal.reason);
  if (!(await mustWait(deps, known, shown)))
    return known.state === 'fresh' ? undefined : fetchInBackground(deps, url, known);
  await fetchOnce(deps, url, { known, address: undefined }).catch((error: unknown) => {
    // the site itself says that the client does not exist any more, and then the client is withdrawn
    if (error instanceof DocumentError && error.isGone) return;
    throw error instanceof DocumentError ? unavailable(error) : error;
  });
}

async function mustWait({ database }: Deps, known: KnownDocument, shown: ShownKeys): Promise<boolean> {
  if (!known.is_enabled) return true;
  const client = await findAnyClient(database, shown.client_id);
  if (!client || isPublic(client)) return false;
  return known.state === 'over' || (!known.is_recent && isKeyMissing(client, shown));
}

/** Whether this server keeps the document itself, for a developer: it is the row of the client, and nothing is fetched. */
const isKeptHere = ({ config }: Deps, client_id: string): boolean =>
  client_id.startsWith(`${config.issuer}${ownDocuments}/`);

function documentUrl(client_id: string): URL | undefined {
  return client_id.startsWith('https://') && isClientId(client_id) ? publicHttpsUrl(client_id) : undefined;
}

function findOf({ database }: Deps, { href, hostname }: URL): Promise<KnownDocument | undefined> {
  return findDocument(database, href, sitesAround(hostname));
}

/**
 * Says why a document does not count, whatever is in it. Where documents are switched off, their clients are refused like disabled
 * clients; their tokens end when the clients are withdrawn (src/operations/sweeping.ts).
 */
function refusalOf({ config }: Deps, known: KnownDocument | undefined): OAuthError | undefined {
  if (config.client_id_documents)
    return known?.state === 'barred' ? new DocumentError(new BarredSiteError()) : undefined;
  const reason = 'client ID metadata documents are switched off';
  return new OAuthError('invalid_client', 'client_id names no application registered here', { status: 400, reason });
}

/** Looks at keys in the document only: fetches of a jwks_uri have a pause of their own. */
function isKeyMissing(client: Client, { jwts, certificate }: ShownKeys): boolean {
  if (!client.jwks) return false;
  const { keys } = client.jwks;
  if (jwts.some((jwt) => lacksKeyOf(jwt, keys))) return true;
  const registered = authenticationMethodsOf(client);
  const provesCertificate = certificateMethods.some((method) => provesKey(method) && registered.includes(method));
  return provesCertificate && certificate !== undefined && keyIn(keys, certificate) === undefined;
}

/** The last fetch of a URL, while the fetch is in progress and, if it failed, for a minute. */
interface Fetch {
  outcome: Promise<void>;
  until: number;
}

const fetches = new Map<string, Fetch>();
const [pauseMs, maxFetches] = [60_000, 1000];

function lastFetch({ href }: URL): Promise<void> | undefined {
  const last = fetches.get(href);
  return last && last.until > performance.now() ? last.outcome : undefined;
}

/** The cause of a fetch; `known` is what the document said before. */
interface Occasion {
  known: KnownDocument | undefined;
  address: string | undefined;
}

/** Requests of the same moment share a fetch, and its failure is the answer for a minute. The pause of one URL delays no other. */
async function fetchOnce(deps: Deps, url: URL, { known, address }: Occasion): Promise<void> {
  const last = lastFetch(url);
  if (last) return last;
  if (!known) await limitFetches(deps, address ?? '');
  return lastFetch(url) ?? startFetch(deps, url, known);
}

function fetchInBackground(deps: Deps, url: URL, known: KnownDocument): void {
  if (lastFetch(url)) return;
  fetchOnce(deps, url, { known, address: undefined }).catch((error: unknown) => {
    const reason = error instanceof OAuthError ? error.reason : String(error);
    deps.log.warn({ client_id: url.href, reason }, 'a client metadata document could not be refreshed');
  });
}

function startFetch(deps: Deps, url: URL, known: KnownDocument | undefined): Promise<void> {
  makeRoom();
  const started = { outcome: fetchAndKeep(deps, url, known), until: Number.POSITIVE_INFINITY };
  fetches.set(url.href, started);
  started.outcome.then(
    () => fetches.delete(url.href),
    (error: unknown) => {
      started.until = error instanceof DocumentError ? performance.now() + pauseMs : 0;
    },
  );
  return started.outcome;
}

/** Forgets the oldest failure; a fetch in progress stays, so that no second fetch begins beside it. */
function makeRoom(): void {
  for (const [href, { until }] of fetches) {
    if (fetches.size < maxFetches) return;
    if (until !== Number.POSITIVE_INFINITY) fetches.delete(href);
  }
}

/** Limits fetches, so that one network cannot use this server to send requests to the sites of others. */
async function limitFetches({ database }: Deps, address: string): Promise<void> {
  const limit = { key: `client-document ${networkOf(address)}`, free: 60, pause: 10, longest: 900 };
  const wait = await countAttempt(database, limit);
  if (wait > 0) throw tooManyRequests(wait);
}

async function fetchAndKeep(deps: Deps, url: URL, known: KnownDocument | undefined): Promise<void> {
  const { config, database, log } = deps;
  const client_id = url.href;
  try {
    await refuseHosts(deps, [url.hostname]);
    const options = { issuer: config.issuer, is_vouched: known?.vouched === true, is_known: known !== undefined };
    const { body, headers } = await fetchDocument(client_id, options);
    const members = withoutNull(parseJsonObject(body));
    const client = readDocument(deps, members, url, await findScopeCatalogue(database, scopeIn(members)));
    await refuseHosts(deps, hostsOf(client.redirect_uris));
    const { problems } = await keepClientDocument(database, client, freshFor(headers));
    refuseProblems(problems, client);
    log.info({ client_id }, 'client metadata document fetched');
  } catch (error) {
    const problem = isProblem(error) ? new DocumentError(error) : undefined;
    // a banned site is not a failure of the site: what was known before does not count either
    if (problem?.isGone || error instanceof BarredSiteError) await withdrawClientDocument(database, client_id);
    throw problem ?? error;
  }
}

type DocumentProblem = FetchError | OAuthError;

function isProblem(error: unknown): error is DocumentProblem {
  return error instanceof FetchError || (error instanceof OAuthError && error.status < 500);
}

/** Thrown when a document cannot be used; fetching it again at once would not help. */
class DocumentError extends OAuthError {
  /** whether the site of the document says that the document is gone */
  readonly isGone: boolean;

  constructor(problem: DocumentProblem) {
    const description = `the metadata document at client_id cannot be used: ${problem.message}`;
    const code = (problem.cause as { code?: string } | undefined)?.code;
    const reason = code === undefined ? description : `${description} (${code})`;
    super('invalid_client', description, { status: 400, reason });
    this.isGone = problem instanceof FetchError && (problem.status === 404 || problem.status === 410);
  }
}

/** The status is 503, since a client would take a 401 for the end of its registration. */
function unavailable({ description, reason }: DocumentError): OAuthError {
  const headers = { 'Retry-After': String(pauseMs / 1000) };
  return new OAuthError('temporarily_unavailable', description, { headers, reason });
}

/** Reads the members of a registration. The client cannot have a secret, since everybody can read the document. */
function readDocument(
  { config }: Deps,
  members: Record<string, unknown>,
  { href, hostname }: URL,
  catalogue: ScopeCatalogue,
): DocumentedClient {
  const { client_id, client_secret, client_secret_expires_at, scope } = members;
  if (client_id !== href) throw new FetchError('the client_id in it is not exactly its URL');
  if (client_secret !== undefined || client_secret_expires_at !== undefined) {
    throw new FetchError('it has a client_secret, which everybody can read');
  }
  // a document is written for all servers and may name scopes of other servers
  const known = typeof scope === 'string' ? knownScope(catalogue, scope) : scope;
  const offersSeveral = members['token_endpoint_auth_methods_supported'] !== undefined;
  const stated = { ...(!offersSeveral && { token_endpoint_auth_method: 'none' }), ...members, scope: known };
  const methods = supportedMethods(config).filter((method) => clientMethods[method].proof !== 'secret');
  const metadata = readMetadata(config, stated, catalogue, harmlessScopes(catalogue), methods);
  if (metadata.token_endpoint_auth_method.startsWith('client_secret_')) {
    throw new FetchError('its token_endpoint_auth_method needs a secret, which everybody could read');
  }
  return { ...metadata, client_id: href, name: metadata.name ?? hostname, site_domain: hostname };
}
