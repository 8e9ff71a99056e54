import type { Deps } from '../deps.ts';
import { LastUsed } from '../lib/last-used.ts';
import { touchGrant } from '../oauth/consent/grants.sql.ts';
import type { Database } from '../postgres/database.ts';
import { noteSecretUse } from './client-secrets.sql.ts';

/**
 * Notes that a grant was used, where that is due. No answer waits for it: a client that gives up waiting would repeat a code that is
 * spent. A failure is ignored, and the next use of the grant tries again.
 */
export function noteLastUse({ database }: Deps, grant_to_touch: string | null): void {
  if (grant_to_touch !== null) touchGrant(database, grant_to_touch).catch(() => {});
}

const pause = 5 * 60 * 1000;
/** Of those that were used last: one that is forgotten costs a statement more. */
const capacity = 10_000;
const notedSecrets = new WeakMap<Database, LastUsed<number>>();

/** Notes that a client has authenticated by this secret, once in five minutes; no answer waits for it either. */
export function noteUseOfSecret(
  { database }: Deps,
  { client_id, secret_sha256 }: { client_id: string; secret_sha256: Buffer | null },
): void {
  if (secret_sha256 === null) return;
  const noted = notedSecrets.get(database) ?? new LastUsed<number>(capacity);
  notedSecrets.set(database, noted);
  const secret = `${client_id} ${secret_sha256.toString('base64')}`;
  const now = performance.now();
  if (now - (noted.get(secret) ?? Number.NEGATIVE_INFINITY) < pause) return;
  noted.set(secret, now);
  noteSecretUse(database, client_id, secret_sha256).catch(() => noted.delete(secret));
}
