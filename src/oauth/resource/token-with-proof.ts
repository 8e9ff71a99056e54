import { limitProofs } from '../../clients/client.ts';
import type { Deps } from '../../deps.ts';
import type { ActiveAccessToken } from './access-tokens.sql.ts';
import type { ProofOfToken } from './presentation.ts';
import { findTokenWithProof } from './token-with-proof.sql.ts';

/**
 * Finds an active token, and uses up the proof with which it is presented. A proof that does not open the token is not stored. If no administrator vouches for the client, the request is counted first.
 */
export async function findTokenAndUseProof(
  deps: Deps,
  key: Buffer,
  proof: ProofOfToken,
): Promise<ActiveAccessToken | undefined> {
  const { database } = deps;
  const first = await findTokenWithProof(database, key, { ...proof, is_counted: false });
  if (first?.is_to_count) await limitProofs(deps, `${first.client_id} and user ${first.user_id}`);
  const found = first?.is_to_count ? await findTokenWithProof(database, key, { ...proof, is_counted: true }) : first;
  if (found?.proof_fault) throw proof.refusal(found.proof_fault);
  return found;
}
