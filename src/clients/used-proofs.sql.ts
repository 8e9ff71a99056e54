import { batched } from '../postgres/batches.ts';
import type { Database } from '../postgres/database.ts';
import { isDuplicateIn } from '../postgres/database-errors.ts';
import {
  allHold,
  clientRules,
  type PresentedClient,
  presentedClientColumns,
  provenMethod,
} from './client-rules.sql.ts';

/** A proof that counts once, such as a DPoP proof or a client assertion. */
export interface OneTimeProof {
  proof_sha256: Buffer;
  /** seconds since 1970; later the proof is refused because of its age, also by the clock of the database */
  expires_at: number;
}

/**
 * Stores each proof of the table `shown` that is due, once. A proof that is too old by the clock of the database is not stored, since
 * the database would forget it at once and an instance whose clock is behind would take it again.
 */
export const storeProofs = `used as (
     insert into used_proofs (proof_sha256, expires_at)
     select distinct on (proof_sha256) proof_sha256, proof_expires_at
     from shown
     where is_due
       and now() < proof_expires_at
     order by proof_sha256
     on conflict do nothing
     returning proof_sha256
   )`;

/** Says why a proof of `shown` does not count, after storeProofs; null if the proof counts or is not due. */
export const proofFault = `case
     when not is_due then null
     when proof_expires_at <= now() then 'too old'
     when proof_sha256 not in (select proof_sha256 from used) then 'repeated'
     when position > min(position) over (partition by proof_sha256, is_due) then 'repeated' end`;

const useProofStatement = batched<OneTimeProof, { fault: ProofFault | null }>(
  'use_proof',
  { proof_sha256: 'bytea', expires_at: 'bigint' },
  (requests) => `with shown as (
     select position, proof_sha256, to_timestamp(expires_at) as proof_expires_at, true as is_due
     from ${requests}
   ), ${storeProofs}
   select position, ${proofFault} as fault
   from shown`,
);

/** The reason why a proof does not count. */
export type ProofFault = 'repeated' | 'too old';

/** Uses up a proof. Null if the proof counts; `repeated` if any instance has used it before; or `too old`. */
export async function useProof(database: Database, proof: OneTimeProof): Promise<ProofFault | null> {
  const use = await useProofStatement(database, proof);
  return use?.fault ?? null;
}

/** What a client shows in a request. */
interface ClientProofs extends PresentedClient, Proofs {
  /** the family of the code or refresh token that is shown beside the proofs */
  family_key?: Buffer | undefined;
  /** whether the request was counted, which is demanded of a client for which no administrator vouches */
  is_counted: boolean;
}

export interface ProofUse {
  /** whether nothing was stored because the request must be counted first */
  is_to_count: boolean;
  /** the proof that does not count; null: both proofs count */
  refused: 'dpop_proof' | 'assertion' | null;
  fault: ProofFault;
}

/** The clock of the database decides, as in useProof. */
const isTooOld = (proof: string) => `coalesce(to_timestamp(${proof}_expires_at) <= now(), false)`;

/** `offset 0` demands a look-up: without it, a plan made while the table is small reads all proofs into a hash table. */
const isUsed = (proof: string) => `(${isTooOld(proof)} or exists (
       select from used_proofs
       where used_proofs.proof_sha256 = ${proof}_sha256 offset 0))`;

/** If several requests use a proof at the same moment, one wins, and the others count as repeats. */
const isLateWith = (proof_sha256: string) => `${proof_sha256} is not null and not (
       ${proof_sha256} in (select proof_sha256 from used)
       and position = min(position) over (partition by ${proof_sha256}, is_dpop_used or is_assertion_used or is_to_count))`;

/** The proofs of a request as the columns of a statement. */
export interface ProofDigests {
  dpop_sha256: Buffer | undefined;
  dpop_expires_at: number | undefined;
  assertion_sha256: Buffer | undefined;
  assertion_expires_at: number | undefined;
}

const proofColumns = {
  dpop_sha256: 'bytea',
  dpop_expires_at: 'bigint',
  assertion_sha256: 'bytea',
  assertion_expires_at: 'bigint',
} as const;

/** The proofs of a request. */
interface Proofs {
  dpop_proof?: OneTimeProof | undefined;
  assertion?: OneTimeProof | undefined;
}

export const digestsOf = ({ dpop_proof, assertion }: Proofs): ProofDigests => ({
  dpop_sha256: dpop_proof?.proof_sha256,
  dpop_expires_at: dpop_proof?.expires_at,
  assertion_sha256: assertion?.proof_sha256,
  assertion_expires_at: assertion?.expires_at,
});

/**
 * Parts of a statement that uses up the proofs of its request by itself, in the commit of what they are for. The statement refuses
 * a request whose proofs do not count or must be counted first; useProofsOfClient says which. The proofs are stored in one order,
 * so that statements of two instances cannot wait for each other.
 */
export const withProofs = {
  suffix: '_with_proofs',
  columns: proofColumns,
  condition: `
       and clients.vouched
       and not ${isUsed('requests.dpop')}
       and not ${isUsed('requests.assertion')}`,
  returned: `,
       requests.dpop_sha256, requests.dpop_expires_at, requests.assertion_sha256, requests.assertion_expires_at`,
  stored: `used as (
     insert into used_proofs (proof_sha256, expires_at)
     select proof.proof_sha256, to_timestamp(proof.expires_at)
     from granted, lateral (values (dpop_sha256, dpop_expires_at), (assertion_sha256, assertion_expires_at))
       proof (proof_sha256, expires_at)
     where proof.proof_sha256 is not null
     order by proof.proof_sha256
   ), `,
} as const;

/** The parts of such a statement whose request has no proofs. */
export const withoutProofs = { suffix: '', columns: {}, condition: '', returned: '', stored: '' } as const;

export type ProofParts = typeof withProofs | typeof withoutProofs;

/** Returns the result of a statement; undefined if a request with the same proof won at the same moment, and nothing was changed. */
export async function unlessUsedMeanwhile<T>(run: Promise<T>): Promise<T | undefined> {
  return run.catch((error: unknown) => {
    if (isDuplicateIn(error, 'used_proofs_pkey')) return undefined;
    throw error;
  });
}

type ClientAndDigests = Omit<ClientProofs, 'dpop_proof' | 'assertion'> & ProofDigests;

/**
 * Stores proofs only for a client that authenticates; at the token endpoint, a public client shows its code or refresh token
 * instead. So strangers cannot fill the table. A request that repeats one proof stores no other proof either.
 */
const useProofsStatement = batched<ClientAndDigests, ProofUse>(
  'use_proofs_of_client',
  {
    ...presentedClientColumns,
    family_key: 'bytea',
    ...proofColumns,
    is_counted: 'boolean',
  },
  (requests) => `with known as (
     select requests.*, not (clients.vouched or requests.is_counted) as is_to_count,
       ${isUsed('requests.dpop')} as is_dpop_used, ${isUsed('requests.assertion')} as is_assertion_used
     from ${requests}
     cross join clients
     where ${allHold(clientRules)}
       and (${provenMethod} <> 'none' or requests.family_key is null
         or requests.client_id = (
           select code.client_id
           from authorization_codes code
           where code.code_sha256 = requests.family_key))
   ), used as (
     insert into used_proofs (proof_sha256, expires_at)
     select distinct on (proof.proof_sha256) proof.proof_sha256, to_timestamp(proof.expires_at)
     from known, lateral (values (dpop_sha256, dpop_expires_at), (assertion_sha256, assertion_expires_at))
       proof (proof_sha256, expires_at)
     where not (is_dpop_used or is_assertion_used or is_to_count)
       and proof.proof_sha256 is not null
     order by proof.proof_sha256
     on conflict do nothing
     returning proof_sha256
   )
   select position, is_to_count, case
     when is_dpop_used then 'dpop_proof'
     when is_assertion_used then 'assertion'
     when ${isLateWith('dpop_sha256')} then 'dpop_proof'
     when ${isLateWith('assertion_sha256')} then 'assertion' end as refused,
     case when ${isTooOld('dpop')} or (not is_dpop_used and ${isTooOld('assertion')}) then 'too old' else 'repeated' end as fault
   from known`,
);

/** Undefined if nothing was stored, because a stranger may have sent the request. */
export function useProofsOfClient(
  database: Database,
  { dpop_proof, assertion, ...client }: ClientProofs,
): Promise<ProofUse | undefined> {
  return useProofsStatement(database, { ...client, ...digestsOf({ dpop_proof, assertion }) });
}
