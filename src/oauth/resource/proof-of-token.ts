import { limitProofs } from '../../clients/client.ts';
import type { OneTimeProof, ProofFault } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import type { OAuthError } from '../../lib/errors.ts';
import { type ActiveAccessToken, findActiveAccessToken, findTokenWithProof } from './access-tokens.sql.ts';

/** A proof with which a token is presented. */
export interface ProofOfToken extends OneTimeProof {
  /** the binding of the tokens that the proof opens */
  readonly binding: string;
  /** says why the proof does not count */
  refusal(fault: ProofFault): OAuthError;
}

/**
 * Finds an active token, and uses up the proof with which it is presented. One that does not open the token is not stored: it needs
 * no memory. If no administrator vouches for the client, the request is counted first.
 */
export async function findTokenAndUseProof(
  deps: Deps,
  key: Buffer,
  proof: ProofOfToken | undefined,
): Promise<ActiveAccessToken | undefined> {
  const { database } = deps;
  if (!proof) return findActiveAccessToken(database, key);
  const first = await findTokenWithProof(database, key, { ...proof, is_counted: false });
  if (first?.is_to_count) await limitProofs(deps, `${first.client_id} and user ${first.user_id}`);
  const found = first?.is_to_count ? await findTokenWithProof(database, key, { ...proof, is_counted: true }) : first;
  if (found?.proof_fault) throw proof.refusal(found.proof_fault);
  return found;
}
