import { OAuthError } from '../protocol/errors.ts';
import { type Client, findClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';

/** What a client presented to prove who it is; its secret only as the digest the database compares. */
export interface ClientCredentials {
  client_id: string;
  secret_sha256: Buffer | null;
  /** answered with a challenge when HTTP Basic was tried [6749 §5.2] */
  by_basic: boolean;
}

/**
 * Verifies credentials on their own: for endpoints whose change does not verify them itself, and to tell after a change
 * that did not happen whether the client was the reason. A public client has no secret and must not present one.
 */
export async function authenticateClient(database: Database, credentials: ClientCredentials): Promise<Client> {
  const client = await findClient(database, credentials.client_id);
  const { secret_sha256 } = credentials;
  const isAuthentic =
    client &&
    (secret_sha256 === null
      ? client.secrets_sha256.length === 0
      : client.secrets_sha256.some((digest) => digest.equals(secret_sha256)));
  if (!isAuthentic) throw invalidClient(credentials.by_basic);
  return client;
}

export function invalidClient(by_basic: boolean): OAuthError {
  const headers: Record<string, string> = by_basic ? { 'WWW-Authenticate': 'Basic realm="latchkey"' } : {};
  return new OAuthError('invalid_client', 'the client is unknown, or its credentials are missing or wrong', {
    headers,
  });
}

export function refuseOtherGrants(client: Client, grant_type: string): void {
  if (!client.grant_types.includes(grant_type)) {
    throw new OAuthError('unauthorized_client', 'the client is not registered for this grant_type');
  }
}
