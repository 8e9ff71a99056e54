import type { Client } from '../../clients/clients.sql.ts';
import { findRefusals } from '../../clients/refusals.sql.ts';
import { errorStatus } from '../../lib/errors.ts';
import { redirectUriDifference } from '../../lib/redirect-uri-difference.ts';
import type { PageContext } from '../../web/page-context.ts';
import { afterOf, pagingBy } from '../../web/paging.ts';
import { queryParameters } from '../../web/request-parameters.ts';
import type { RecentRefusals } from './developer.view.ts';

/** Rows of a page: more kinds of refusals than an hour usually has; equal refusals are one row. */
const pageSize = 50;

/** The parameter for the page of refusals; the list of applications on the same page has its own parameter. */
const older = 'older';

/** Returns the latest refusals of these applications, or the one with the request id in the query. */
export async function recentRefusals(
  context: PageContext,
  clients: readonly Client[],
  path: `/${string}`,
): Promise<RecentRefusals> {
  const { deps, req } = context;
  const { config, database } = deps;
  const byClientId = new Map(clients.map((client) => [client.client_id, client]));
  const searched = queryParameters(req)['request_id'];
  const request_id = typeof searched === 'string' ? searched.trim().slice(0, 100) : undefined;
  const searchedIn = { client_ids: [...byClientId.keys()], request_id };
  const found = await findRefusals(database, searchedIn, afterOf(req, older), pageSize);
  const rows = found.rows.flatMap(({ happened_at: at, redirect_uri, ...refusal }) => {
    const client = byClientId.get(refusal.client_id);
    if (!client) return [];
    const mismatch = redirect_uri === null ? undefined : nearest(redirect_uri, client.redirect_uris);
    const shown = clients.length > 1 ? { name: client.name, vouched: client.vouched } : undefined;
    return { ...refusal, at, client: shown, is_explained: refusal.error in errorStatus, mismatch };
  });
  const applications = afterOf(req);
  const query = { ...(request_id && { request_id }), ...(applications && { after: applications }) };
  const { first_href, next_href } = pagingBy(older)(context, path, found.next, query);
  const paging = {
    first_href: first_href && `${first_href}#refusals`,
    next_href: next_href && `${next_href}#refusals`,
  };
  return { rows, action: config.base + path, request_id, paging };
}

/** Returns the difference from the registered URI that is most similar. */
function nearest(redirect_uri: string, registered: readonly string[]) {
  const difference = redirectUriDifference(redirect_uri, registered);
  return { ...difference, registered: difference.registered.slice(0, 1) };
}
