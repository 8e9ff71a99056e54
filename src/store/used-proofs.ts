import { batched } from '../postgres/batches.ts';
import type { Database } from '../postgres/database.ts';

/** A proof that counts once, such as a DPoP proof or a client assertion. */
export interface OneTimeProof {
  proof_sha256: Buffer;
  /** seconds since 1970; after that it is refused because of its age */
  expires_at: number;
}

const useProofStatement = batched<OneTimeProof, object>(
  'use_proof',
  { proof_sha256: 'bytea', expires_at: 'bigint' },
  (requests) => `with used as (
     insert into used_proofs (proof_sha256, expires_at)
     select distinct on (proof_sha256) proof_sha256, to_timestamp(expires_at)
     from ${requests}
     on conflict do nothing
     returning proof_sha256
   )
   select min(position) as position
   from ${requests}
   join used using (proof_sha256)
   group by proof_sha256`,
);

/** False if it was used before, by whichever instance. */
export async function useProof(database: Database, proof: OneTimeProof): Promise<boolean> {
  return (await useProofStatement(database, proof)) !== undefined;
}
