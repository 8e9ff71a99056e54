import type { Deps } from '../deps.ts';
import { LastUsed } from '../lib/last-used.ts';
import type { Database } from '../postgres/database.ts';
import { noteSecretUse } from './client-secrets.sql.ts';

const pause = 5 * 60 * 1000;
/** Only the secrets used last are remembered: forgetting one costs an additional statement. */
const capacity = 10_000;
const notedSecrets = new WeakMap<Database, LastUsed<number>>();

/** Notes that a client has authenticated by this secret, once in five minutes; no answer waits for it. */
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
