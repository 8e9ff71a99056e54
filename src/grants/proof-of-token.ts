import type { Deps } from '../deps.ts';
import type { ActiveAccessToken } from '../store/access-tokens.ts';
import { type OneTimeProof, type ProofFault, useProof } from '../store/used-proofs.ts';
import { limitProofs } from './client.ts';

/** What a presentation needs to know of the token. */
export interface BoundToken extends Pick<ActiveAccessToken, 'binding' | 'client_id' | 'user_id' | 'vouched'> {
  /** of its row */
  key: Buffer;
}

/** Uses up a proof that was sent with an access token; null if it counts. */
export async function useProofOfToken(
  deps: Deps,
  { client_id, user_id, vouched }: BoundToken,
  proof: OneTimeProof,
): Promise<ProofFault | null> {
  if (!vouched) await limitProofs(deps, `${client_id} and user ${user_id}`);
  return useProof(deps.database, proof);
}
