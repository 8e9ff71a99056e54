import type { Trace } from '../../audit/audit.sql.ts';
import { type NamedResource, namedResourceColumns } from '../../catalogue/resources.sql.ts';
import {
  allHold,
  nextRefreshBinding,
  type PresentedClient,
  type ProvenKeys,
  presentedClientColumns,
  provenKeyColumns,
} from '../../clients/client-rules.sql.ts';
import {
  type ProofDigests,
  type ProofParts,
  unlessUsedMeanwhile,
  withoutProofs,
  withProofs,
} from '../../clients/used-proofs.sql.ts';
import type { PresentedToken } from '../../lib/refresh-token.ts';
import { profilesThatKeepRefreshTokens } from '../../lib/security-profile.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import { accessTokenOf, issueColumns, issueTokens, type NewTokens } from './authorization-codes.sql.ts';
import { refreshRules, scopesOfRefresh } from './token-rules.sql.ts';

/** What the rules of a refresh look at. */
export interface PresentedRefreshToken extends PresentedToken, PresentedClient, ProvenKeys, NamedResource {
  scope: string | undefined;
  /** see isWritable */
  can_sign: boolean;
}

export interface Refresh extends PresentedRefreshToken, Trace {
  access_token_sha256: Buffer;
  access_token_ttl: number;
}

export interface Rotation extends Refresh {
  successor_salt: Buffer;
  successor_sha256: Buffer;
  refresh_token_ttl: number;
}

export const presentedColumns = {
  family_key: 'bytea',
  refresh_token_sha256: 'bytea',
  generation: 'integer',
  is_genuine: 'boolean',
  ...presentedClientColumns,
  ...provenKeyColumns,
  scope: 'text',
  ...namedResourceColumns,
  can_sign: 'boolean',
} as const;

const rotates = `coalesce(clients.profile, 'standard') <> all ('{${profilesThatKeepRefreshTokens.join()}}')`;

export const isOfGrant = `grants.grant_id = code.grant_id
       and users.user_id = grants.user_id`;

const isRefreshable = `${allHold(refreshRules)}
       and ${isOfGrant}`;

export const accessToken = accessTokenOf(scopesOfRefresh, 'grants.expires_at', 'code.family_ends_at');

/** Rotates a refresh token once under any concurrency, in the way in which redeemAuthorizationCode redeems a code. */
export const rotation = (proofs: ProofParts) =>
  batched<Rotation, NewTokens>(
    `rotate_refresh_token${proofs.suffix}`,
    {
      ...presentedColumns,
      ...issueColumns,
      successor_salt: 'bytea',
      successor_sha256: 'bytea',
      refresh_token_ttl: 'integer',
      ...proofs.columns,
    },
    (requests) => `with granted as (
     update authorization_codes code
     set refresh_generation = code.refresh_generation + 1,
       refresh_token_sha256 = requests.successor_sha256,
       refresh_issued_at = now(),
       refresh_expires_at = least(now() + make_interval(secs => requests.refresh_token_ttl), grants.expires_at, code.family_ends_at),
       refresh_binding = ${nextRefreshBinding},
       refresh_bound_since = case
         when code.refresh_binding is not distinct from ${nextRefreshBinding} then code.refresh_bound_since
         else code.refresh_generation + 1 end,
       previous_refresh_sha256 = requests.refresh_token_sha256,
       successor_salt = requests.successor_salt,
       successor_access_sha256 = requests.access_token_sha256
     from ${requests}, clients, grants, users
     where ${isRefreshable}
       and ${rotates}${proofs.condition}
     returning ${accessToken}, code.refresh_expires_at${proofs.returned}
   ), ${proofs.stored}${issueTokens('tokens_refreshed')}`,
  );

const rotate = rotation(withoutProofs);

const rotateWithProofs = rotation(withProofs);

/** Rotates a refresh token. With `proofs`, the statement also uses up the proofs, and refuses the rotation if they do not count. */
export function rotateRefreshToken(
  database: Database,
  rotation: Rotation,
  proofs?: ProofDigests,
): Promise<NewTokens | undefined> {
  return proofs
    ? unlessUsedMeanwhile(rotateWithProofs(database, { ...rotation, ...proofs }))
    : rotate(database, rotation);
}

/** Issues an access token and keeps the refresh token, for a client whose profile wants that. */
const keeping = (proofs: ProofParts) =>
  batched<Refresh, NewTokens>(
    `keep_refresh_token${proofs.suffix}`,
    { ...presentedColumns, ...issueColumns, ...proofs.columns },
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
