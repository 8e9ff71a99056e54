import type { RefusalDetails } from '../../lib/errors.ts';
import type { Database } from '../../postgres/database.ts';
import { findTokenFacts, type TokenFacts } from './token-facts.sql.ts';

/** The reasons why a code or token is no longer active. */
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

/** Whether there is something to end: a refresh token that was exchanged can be ended, too, while its family lives. */
export const isEndable = (facts: TokenFacts): boolean =>
  endReasonsOf(facts).every(({ reason }) => reason === 'rotated');

/**
 * After a refusal: what is stored about an access token, and why it is no longer active. Without a key, this server has issued no
 * such token.
 */
export async function explainAccessToken(
  database: Database,
  key: Buffer | undefined,
): Promise<RefusalDetails & { facts?: TokenFacts }> {
  if (!key) return { reason: 'access token malformed' };
  const facts = await findTokenFacts(database, { key });
  if (!facts) return { reason: 'access token unknown' };
  const [first] = endReasonsOf(facts);
  return { facts, client_id: facts.client_id, ...(first && { reason: inWords(first.reason) }) };
}

function inWords(reason: EndReason): string {
  if (reason === 'expired') return 'access token expired';
  return reason === 'token_revoked' ? 'access token revoked' : reason.replace('_', ' ');
}
