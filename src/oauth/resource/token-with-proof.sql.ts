import { type OneTimeProof, type ProofFault, proofFault, storeProofs } from '../../clients/used-proofs.sql.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import {
  type ActiveAccessToken,
  activeColumns,
  isActiveHere,
  type TokenKey,
  tokenAndFamily,
  tokenKeyColumns,
} from './access-tokens.sql.ts';

/** The proof with which a token is presented. */
interface PresentedProof extends OneTimeProof {
  /** the binding that the proof opens */
  binding: string;
  /** whether the request was counted, which is demanded of a client for which no administrator vouches */
  is_counted: boolean;
}

interface ProvenAccessToken extends ActiveAccessToken {
  /** nothing was stored: the request must be counted first */
  is_to_count: boolean;
  /** null: the proof counts, or does not open the token */
  proof_fault: ProofFault | null;
}

const findWithProof = batched<TokenKey & PresentedProof, ProvenAccessToken>(
  'find_active_access_token_with_proof',
  { ...tokenKeyColumns, proof_sha256: 'bytea', expires_at: 'bigint', binding: 'text', is_counted: 'boolean' },
  (requests) => `with found as (
     select position, ${activeColumns}, requests.proof_sha256, to_timestamp(requests.expires_at) as proof_expires_at,
       token.binding is not distinct from requests.binding as opens, clients.vouched or requests.is_counted as is_counted
     from ${tokenAndFamily(requests)}
     where ${isActiveHere}
   ), shown as (
     select *, opens and is_counted as is_due
     from found
   ), ${storeProofs}
   select shown.*, opens and not is_counted as is_to_count, ${proofFault} as proof_fault
   from shown`,
);

/** Like findActiveAccessToken; a proof that opens the token is used up in the same statement. */
export function findTokenWithProof(
  database: Database,
  access_token_sha256: Buffer,
  { proof_sha256, expires_at, binding, is_counted }: PresentedProof,
): Promise<ProvenAccessToken | undefined> {
  return findWithProof(database, { access_token_sha256, proof_sha256, expires_at, binding, is_counted });
}
