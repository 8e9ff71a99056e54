import type { Deps } from '../../../deps.ts';
import { redirectUriDifference } from '../../../protocol/redirect-uri-difference.ts';
import { findEventsOfClients } from '../../../store/audit-trail.ts';
import type { Client } from '../../../store/clients.ts';
import type { RefusalRow } from '../developer-view-data.ts';

/** Of a URI that fills pages the beginning is enough to recognise it. */
const longest = 300;

/** The latest authorization requests that ended on a page because of their redirection URI, beside the nearest registered one. */
export async function recentRefusals(
  { database }: Deps,
  clients: readonly Client[],
  most: number,
): Promise<RefusalRow[]> {
  const known = new Map(clients.map((client) => [client.client_id, client]));
  const events = await findEventsOfClients(database, [...known.keys()], ['redirect_uri_refused'], most);
  return events.flatMap(({ happened_at, client_id = '', detail, request_id }) => {
    const client = known.get(client_id);
    if (!client) return [];
    const { received, registered } = redirectUriDifference((detail ?? '').slice(0, longest), client.redirect_uris);
    const mismatch = { received, registered: registered.slice(0, 1) };
    return { at: happened_at, client_id, client_name: client.name, request_id, mismatch };
  });
}
