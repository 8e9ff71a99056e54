import type { SecretRow } from '../../pages/views/developer.ts';
import type { SecretUse } from '../../store/client-secrets.ts';
import type { DeveloperApplication } from '../../store/clients.ts';

/** Identifies a secret in a form and on the page: the first bytes of its digest, never of its value. */
function handleOf(digest: Buffer): string {
  return digest.toString('hex', 0, 4);
}

export function secretRows({ secrets_sha256, secrets_since }: DeveloperApplication, uses: SecretUse[]): SecretRow[] {
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

export function digestOfHandle({ secrets_sha256 }: DeveloperApplication, handle: string): Buffer | undefined {
  return secrets_sha256.find((digest) => handleOf(digest) === handle);
}
