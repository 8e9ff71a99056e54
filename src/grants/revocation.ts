import type { Deps } from '../deps.ts';
import type { Database } from '../postgres/database.ts';
import { OAuthError } from '../protocol/errors.ts';
import { credentialKey, isSecret } from '../protocol/secrets.ts';
import { findActiveAccessToken, revokeAccessToken } from '../store/access-tokens.ts';
import type { Trace } from '../store/audit.ts';
import type { Client } from '../store/clients.ts';
import { revokeFamily, revokeFamilyOfRefreshToken, revokeLeakedFamily } from '../store/families.ts';
import { introspectRefreshToken } from '../store/refresh-tokens.ts';
import { audit } from './audit.ts';
import { isPublic } from './client.ts';

/** Revokes a token of the client: an access token alone, a refresh token with its whole family [7009 §2.1]. */
export async function revokeToken(deps: Deps, client: Client, token: string, trace: Trace): Promise<void> {
  const { database } = deps;
  const { client_id } = client;
  const digest = credentialKey(token);
  const revoked =
    (isSecret('access_token', token) && (await revokeAccessToken(database, digest, client_id))) ||
    (isSecret('refresh_token', token) && (await revokeFamilyOfRefreshToken(database, digest, client_id)));
  if (revoked) return audit(deps, trace, { event: 'token_revoked', client_id, ...revoked });
  if (!isPublic(client)) await refuseForeignToken(database, digest);
}

/** Revokes an access token of the client, and its whole family. */
export async function revokeTokenAndFamily(
  deps: Deps,
  { client_id }: Client,
  token: string,
  trace: Trace,
): Promise<void> {
  const revoked = await revokeAccessToken(deps.database, credentialKey(token), client_id);
  if (!revoked) return;
  await revokeFamily(deps.database, revoked.code_id);
  await audit(deps, trace, { event: 'token_revoked', client_id, ...revoked });
}

/** An authenticated client is told that an active token is not its own; other clients learn nothing [7009 §2.1]. */
async function refuseForeignToken(database: Database, digest: Buffer): Promise<void> {
  const found = (await findActiveAccessToken(database, digest)) ?? (await introspectRefreshToken(database, digest));
  if (found) throw new OAuthError('invalid_grant', 'the token was issued to another client');
}

/** Revokes the family of a token that anybody may have found: whoever holds it without being its client has shown that it leaked. */
export async function revokeLeakedToken(deps: Deps, token: string, trace: Trace): Promise<void> {
  const { database, config } = deps;
  const isOurs = (['access_token', 'refresh_token', 'authorization_code'] as const).some((kind) =>
    isSecret(kind, token),
  );
  const leaked = isOurs && (await revokeLeakedFamily(database, credentialKey(token), config.refresh_grace));
  if (leaked) await audit(deps, trace, { event: 'token_leaked', ...leaked });
}
