import type { Trace } from '../../audit/audit.sql.ts';
import type { ProofDigests } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import { createCredential, credentialKey } from '../../lib/secrets.ts';
import type { PresentedRefreshToken } from './authorization-codes.sql.ts';
import type { WritingMaterial } from './jwt-token.ts';
import { keepRefreshToken } from './kept-refresh-token.sql.ts';
import { type GrantedTokens, issuedTokens } from './token-answer.ts';

/** Issues an access token to a client whose profile keeps refresh tokens; undefined if the refresh is refused. */
export async function keep(
  deps: Deps,
  presented: PresentedRefreshToken,
  { material, proofs }: { material: WritingMaterial; proofs?: ProofDigests | undefined },
  trace: Trace,
): Promise<GrantedTokens | undefined> {
  const access_token = createCredential('access_token');
  const kept = {
    access_token_sha256: credentialKey(access_token),
    access_token_ttl: deps.config.access_token_ttl,
    ...presented,
    ...trace,
  };
  const issued = await keepRefreshToken(deps.database, kept, proofs);
  if (!issued) return undefined;
  const { client_id } = presented;
  return issuedTokens(deps, 'tokens_refreshed', { ...issued, client_id }, { access_token, material }, trace);
}
