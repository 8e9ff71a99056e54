import type { AuditEvent, OperatorsTrace, Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import { isPublic } from '../../clients/client.ts';
import type { Client } from '../../clients/clients.sql.ts';
import { withdrawLeakedInvitation } from '../../clients/invitations.sql.ts';
import { leakedRegistrationToken, withdrawRegistrationToken } from '../../clients/self-registrations.sql.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { PresentedToken } from '../../lib/refresh-token.ts';
import { credentialKey, digestOf, isSecret } from '../../lib/secrets.ts';
import type { Database } from '../../postgres/database.ts';
import { type GrantKey, revokeGrant } from '../consent/grant-changes.sql.ts';
import { keyOfAccessToken, keysOfCredential, readPresentedToken } from './credential-keys.ts';
import {
  revokeAccessToken,
  revokeFamily,
  revokeFamilyOfAccessToken,
  revokeFamilyOfRefreshToken,
  revokeLeakedFamily,
  revokeOwnAccessToken,
} from './families.sql.ts';
import { limitGuesses } from './guessed-tokens.ts';
import { introspectAccessToken, introspectRefreshToken } from './introspected-tokens.sql.ts';
import { findTokenFacts } from './token-facts.sql.ts';

/** Revokes a token of the client: an access token alone, a refresh token with its whole family [7009 §2.1]. */
export async function revokeToken(deps: Deps, client: Client, token: string, trace: Trace): Promise<void> {
  const { database } = deps;
  const { client_id } = client;
  const accessKey = await keyOfAccessToken(deps, token);
  const refreshToken = readPresentedToken(deps, token);
  const revoked =
    (accessKey && (await revokeOwnAccessToken(database, accessKey, client_id, trace))) ||
    (refreshToken && (await revokeFamilyOfRefreshToken(database, refreshToken, client_id, trace)));
  if (revoked) return logEvent(deps, trace, { event: 'token_revoked', ...revoked });
  if (!isPublic(client)) await refuseForeignToken(database, accessKey, refreshToken);
  await limitGuesses(deps, client, token, trace);
}

/** Revokes the whole family of an access token of the client. */
export async function revokeWithFamily(deps: Deps, { client_id }: Client, token: string, trace: Trace): Promise<void> {
  const revoked = await revokeFamilyOfAccessToken(deps.database, credentialKey(token), client_id, trace);
  if (revoked) logEvent(deps, trace, { event: 'token_revoked', ...revoked });
}

/** An authenticated client is told that an active token is not its own; other clients learn nothing [7009 §2.1]. */
async function refuseForeignToken(
  database: Database,
  accessKey: Buffer | undefined,
  refreshToken: PresentedToken | undefined,
): Promise<void> {
  const found =
    (accessKey && (await introspectAccessToken(database, accessKey))) ||
    (refreshToken && (await introspectRefreshToken(database, refreshToken)));
  if (found) throw new OAuthError('invalid_grant', 'the token was issued to another client');
}

/** Ends what a person has allowed a client; false if that is nothing. */
export async function endGrant(
  deps: Pick<Deps, 'database' | 'log'>,
  trace: OperatorsTrace,
  { user_id, client_id }: GrantKey,
): Promise<boolean> {
  const isRevoked = await revokeGrant(deps.database, { user_id, client_id }, trace);
  if (isRevoked) logEvent(deps, trace, { event: 'consent_revoked', user_id, client_id });
  return isRevoked;
}

/** Revokes what anybody may have found: whoever holds it without being its client has shown that it leaked. */
export async function revokeLeakedToken(deps: Deps, token: string, trace: Trace): Promise<void> {
  const { database, config } = deps;
  const keys = await keysOfCredential(deps, token);
  const leaked = keys
    ? await revokeLeakedFamily(database, keys, config.refresh_grace, trace)
    : await withdrawLeakedRegistration(database, token, trace);
  if (leaked) logEvent(deps, trace, { event: 'token_leaked', ...leaked });
}

/**
 * Revokes a token that an operator pasted: an access token by itself, otherwise its whole family. Undefined if nothing was left to
 * revoke.
 */
export async function revokeShownToken(
  database: Database,
  key: Buffer,
  trace: OperatorsTrace,
): Promise<AuditEvent | undefined> {
  const facts = await findTokenFacts(database, { key });
  if (!facts) return undefined;
  const { kind, client_id, code_id } = facts;
  const revoked =
    kind === 'access_token'
      ? await revokeAccessToken(database, key, client_id, trace)
      : await revokeFamily(database, code_id, trace);
  return revoked && { event: 'token_revoked', ...revoked };
}

/** Ends the tokens with which clients register and change themselves; the clients stay. */
async function withdrawLeakedRegistration(database: Database, token: string, trace: Trace) {
  if (isSecret('registration_access_token', token)) {
    const client_id = await withdrawRegistrationToken(database, digestOf(token), trace);
    return client_id && { client_id, detail: leakedRegistrationToken };
  }
  const invitation_id =
    isSecret('initial_access_token', token) && (await withdrawLeakedInvitation(database, digestOf(token), trace));
  return invitation_id && { detail: `invitation ${invitation_id}` };
}
