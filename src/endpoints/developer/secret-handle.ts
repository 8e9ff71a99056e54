import type { SecretRow } from '../../pages/views/developer.ts';
import type { DeveloperApplication } from '../../store/clients.ts';

/** Identifies a secret in a form and on the page: the first bytes of its digest, never of its value. */
function handleOf(digest: Buffer): string {
  return digest.toString('hex', 0, 4);
}

export function secretRows({ secrets_sha256, secrets_since }: DeveloperApplication): SecretRow[] {
  return secrets_sha256.map((digest, index) => ({
    handle: handleOf(digest),
    created_at: secrets_since[index] ?? new Date(0),
  }));
}

export function digestOfHandle({ secrets_sha256 }: DeveloperApplication, handle: string): Buffer | undefined {
  return secrets_sha256.find((digest) => handleOf(digest) === handle);
}
