import type { Database } from '../postgres/database.ts';
import type { RefusalDetails } from '../protocol/errors.ts';
import { type CredentialKind, isSecret, keyOf } from '../protocol/secrets.ts';
import { findTokenFacts, type TokenFacts } from '../store/token-facts.ts';

/** Everything that can end a code or token. */
export type Ending =
  | 'redeemed'
  | 'rotated'
  | 'token_revoked'
  | 'family_revoked'
  | 'grant_revoked'
  | 'grant_expired'
  | 'client_disabled'
  | 'user_disabled'
  | 'expired';

/** What has ended it so far, the earliest first: that is the one that did; none while it is alive. */
export function endingsOf(facts: TokenFacts): { at: Date; ending: Ending }[] {
  const possible: [at: Date | null, ending: Ending][] = [
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
    .flatMap(([at, ending]) => (at !== null && at <= facts.read_at ? [{ at, ending }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}

const names = { authorization_code: 'code', access_token: 'access token', refresh_token: 'refresh token' } as const;

/** Asked after a refusal: what is known about a credential, and why it is worth nothing, if that lies in itself. */
export async function explainCredential(
  database: Database,
  kind: CredentialKind,
  credential: string,
  client_id?: string,
): Promise<RefusalDetails & { facts?: TokenFacts }> {
  const name = names[kind];
  if (!isSecret(kind, credential)) return { reason: `${name} malformed` };
  const facts = await findTokenFacts(database, keyOf(credential));
  if (!facts) return { reason: `${name} unknown` };
  if (client_id !== undefined && facts.client_id !== client_id) {
    // who found it somewhere must not learn that it is real
    return { reason: `${name} of another client`, owner_reason: `${name} unknown` };
  }
  const [first] = endingsOf(facts);
  return { facts, client_id: facts.client_id, ...(first && { reason: inWords(first.ending, name) }) };
}

function inWords(ending: Ending, name: string): string {
  if (ending === 'redeemed' || ending === 'rotated') return `${name} used before`;
  if (ending === 'expired') return `${name} expired`;
  if (ending === 'token_revoked' || (ending === 'family_revoked' && name === 'code')) return `${name} revoked`;
  return ending.replace('_', ' ');
}
