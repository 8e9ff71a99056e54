import type { SecretUse } from '../../clients/client-secrets.sql.ts';
import { handleOf } from '../../lib/secrets.ts';
import type { SecretRow } from './developer.view.ts';

export function secretRows(
  { secrets_sha256, secrets_since }: { secrets_sha256: Buffer[]; secrets_since: Date[] },
  uses: SecretUse[],
): SecretRow[] {
  return secrets_sha256.map((digest, index) => {
    const use = uses.find(({ secret_sha256 }) => secret_sha256.equals(digest));
    return {
      handle: handleOf(digest),
      created_at: secrets_since[index] ?? new Date(0),
      last_used_at: use?.last_used_at,
      is_in_use: use?.is_in_use ?? false,
    };
  });
}
