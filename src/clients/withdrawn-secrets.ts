import type { RecordedEvent } from '../audit/audit.sql.ts';
import type { Deps } from '../deps.ts';
import { digestOfHandle } from '../lib/secrets.ts';
import { deleteClientSecret, listSecretUses } from './client-secrets.sql.ts';

interface Withdrawal {
  client: { client_id: string; secrets_sha256: Buffer[] };
  handle: string;
  /** whether the person who withdraws it was told that programs send it */
  isUseKnown: boolean;
}

/** Makes a change with its event. */
type RecordedChange = (change: (recorded: RecordedEvent) => Promise<boolean>) => Promise<boolean>;

/**
 * Deletes one of two secrets. A secret that a program has sent lately is deleted only if the caller knows of that: the program is
 * refused from then on.
 */
export async function withdrawSecret(
  { database }: Pick<Deps, 'database'>,
  { client, handle, isUseKnown }: Withdrawal,
  record: RecordedChange,
): Promise<'withdrawn' | 'in_use' | 'gone'> {
  const digest = digestOfHandle(client, handle);
  if (!digest) return 'gone';
  const uses = isUseKnown ? [] : await listSecretUses(database, client);
  if (uses.some(({ secret_sha256, is_in_use }) => is_in_use && digest.equals(secret_sha256))) return 'in_use';
  const isDeleted = await record((recorded) => deleteClientSecret(database, client.client_id, digest, recorded));
  return isDeleted ? 'withdrawn' : 'gone';
}
