import {
  type ProofDigests,
  type ProofParts,
  unlessUsedMeanwhile,
  withoutProofs,
  withProofs,
} from '../../clients/used-proofs.sql.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import {
  accessToken,
  isRefreshable,
  issueColumns,
  issueTokens,
  type NewTokens,
  presentedTokenColumns,
  type Refresh,
  rotates,
} from './authorization-codes.sql.ts';

/** Issues an access token and keeps the refresh token, for a client whose profile wants that. */
const keeping = (proofs: ProofParts) =>
  batched<Refresh, NewTokens>(
    `keep_refresh_token${proofs.suffix}`,
    { ...presentedTokenColumns, ...issueColumns, ...proofs.columns },
    (requests) => `with granted as (
     select ${accessToken}, null::timestamptz as refresh_expires_at${proofs.returned}
     from ${requests}, clients, authorization_codes code, grants, users
     where ${isRefreshable}
       and not (${rotates})${proofs.condition}
   ), ${proofs.stored}${issueTokens('tokens_refreshed')}`,
  );

const keep = keeping(withoutProofs);
const keepWithProofs = keeping(withProofs);

/** Keeps a refresh token. With `proofs`, the statement also uses up the proofs, and refuses the refresh if they do not count. */
export function keepRefreshToken(
  database: Database,
  refresh: Refresh,
  proofs?: ProofDigests,
): Promise<NewTokens | undefined> {
  return proofs ? unlessUsedMeanwhile(keepWithProofs(database, { ...refresh, ...proofs })) : keep(database, refresh);
}
