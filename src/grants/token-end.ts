import type { Database } from '../postgres/database.ts';
import type { RefusalDetails } from '../protocol/errors.ts';
import type { CredentialKind } from '../protocol/secrets.ts';
import { findTokenFacts, type TokenFacts } from '../store/token-facts.ts';

/** Why a code or token is no longer active. */
export type EndReason =
  | 'redeemed'
  | 'rotated'
  | 'token_revoked'
  | 'family_revoked'
  | 'grant_revoked'
  | 'grant_expired'
  | 'client_disabled'
  | 'user_disabled'
  | 'expired';

/** All reasons so far, the earliest first; none if the code or token is active. */
export function endReasonsOf(facts: TokenFacts): { at: Date; reason: EndReason }[] {
  const possible: [at: Date | null, reason: EndReason][] = [
    [facts.kind === 'authorization_code' ? facts.redeemed_at : null, 'redeemed'],
    [facts.rotated_at, 'rotated'],
    [facts.revoked_at, 'token_revoked'],
    [facts.family_revoked_at, 'family_revoked'],
    [facts.grant_revoked_at, 'grant_revoked'],
    [facts.grant_expires_at, 'grant_expired'],
    [facts.client_disabled_at, 'client_disabled'],
    [facts.user_disabled_at, 'user_disabled'],
    [facts.expires_at, 'expired'],
  ];
  return possible
    .flatMap(([at, reason]) => (at !== null && at <= facts.read_at ? [{ at, reason }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}

const names = { authorization_code: 'code', access_token: 'access token', refresh_token: 'refresh token' } as const;

/** After a refusal: what is stored about a credential, and the reason if the credential itself is invalid. Without a key it is not one of this server. */
export async function explainCredential(
  database: Database,
  kind: CredentialKind,
  key: Buffer | undefined,
  client_id?: string,
): Promise<RefusalDetails & { facts?: TokenFacts }> {
  const name = names[kind];
  if (!key) return { reason: `${name} malformed` };
  const facts = await findTokenFacts(database, key);
  if (!facts) return { reason: `${name} unknown` };
  if (client_id !== undefined && facts.client_id !== client_id) {
    // the owner of another client must not learn that the credential exists
    return { reason: `${name} of another client`, owner_reason: `${name} unknown` };
  }
  const [first] = endReasonsOf(facts);
  return { facts, client_id: facts.client_id, ...(first && { reason: inWords(first.reason, name) }) };
}

function inWords(reason: EndReason, name: string): string {
  if (reason === 'redeemed' || reason === 'rotated') return `${name} used before`;
  if (reason === 'expired') return `${name} expired`;
  if (reason === 'token_revoked' || (reason === 'family_revoked' && name === 'code')) return `${name} revoked`;
  return reason.replace('_', ' ');
}
