import { OAuthError } from '../protocol/errors.ts';
import { digestOf, isSecret } from '../protocol/secrets.ts';
import { findActiveAccessToken, revokeAccessToken } from '../store/access-tokens.ts';
import type { Client } from '../store/clients.ts';
import type { Database } from '../store/database.ts';
import { revokeFamilyOfRefreshToken } from '../store/families.ts';
import { findActiveRefreshToken } from '../store/refresh-token-stories.ts';

/** Of the client's own tokens: an access token alone, a refresh token with everything that descends from its code [7009 §2.1]. */
export async function revokeToken(database: Database, client: Client, token: string): Promise<void> {
  const digest = digestOf(token);
  const revoked =
    (isSecret('access_token', token) && (await revokeAccessToken(database, digest, client.client_id))) ||
    (isSecret('refresh_token', token) && (await revokeFamilyOfRefreshToken(database, digest, client.client_id)));
  if (!revoked && client.secrets_sha256.length > 0) await refuseForeignToken(database, digest);
}

/** A client that has authenticated is told that a live token is not its own; anybody else learns nothing [7009 §2.1]. */
async function refuseForeignToken(database: Database, digest: Buffer): Promise<void> {
  const found = (await findActiveAccessToken(database, digest)) ?? (await findActiveRefreshToken(database, digest));
  if (found) throw new OAuthError('invalid_grant', 'the token was issued to another client');
}
