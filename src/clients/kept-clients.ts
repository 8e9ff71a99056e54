import type { Deps } from '../deps.ts';
import { LastUsed } from '../lib/last-used.ts';
import type { Database } from '../postgres/database.ts';
import { type ClientWithKeys, findAnyClient } from './clients.sql.ts';

// To verify an assertion, the client must be read before the statement that the request is for. So the clients that proved their key
// last are kept as they were read. A request is accepted only by a statement that finds the client unchanged (the rule
// client_unchanged), and refused only after the client was read again (isUnchanged): no change of a client waits for anything.

const capacity = 500;
const kept = new WeakMap<Database, LastUsed<ClientWithKeys>>();

export function keptClient({ database }: Deps, client_id: string): ClientWithKeys | undefined {
  return kept.get(database)?.get(client_id);
}

/**
 * Keeps a client as it was read; only if an administrator vouches for it, so that strangers fill no memory. Keys at a jwks_uri have an
 * age, see client-keys.ts.
 */
export function keepClient({ database }: Deps, client: ClientWithKeys): void {
  if (!client.vouched || client.jwks_uri !== null) return;
  const clients = kept.get(database) ?? new LastUsed<ClientWithKeys>(capacity);
  kept.set(database, clients);
  clients.set(client.client_id, client);
}

/** Whether a client is still as it was read; otherwise it is forgotten. */
export async function isUnchanged({ database }: Deps, { client_id, version }: ClientWithKeys): Promise<boolean> {
  const found = await findAnyClient(database, client_id);
  if (found?.version === version) return true;
  kept.get(database)?.delete(client_id);
  return false;
}
