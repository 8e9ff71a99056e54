import type { Trace } from '../../audit/audit.sql.ts';
import { type NamedResource, namedResourceColumns, newResource, tokenFormatAt } from '../../catalogue/resources.sql.ts';
import {
  mayBeAnybody,
  nextRefreshBinding,
  type PresentedClient,
  type ProvenKeys,
  presentedClientColumns,
  provenKeyColumns,
} from '../../clients/client-rules.sql.ts';
import { allHold, brokenRules } from '../../clients/rules.sql.ts';
import {
  type ProofDigests,
  type ProofParts,
  unlessUsedMeanwhile,
  withoutProofs,
  withProofs,
} from '../../clients/used-proofs.sql.ts';
import { isActiveAccessToken, scopesInForceAt, subjectOf } from '../../identity/active.sql.ts';
import type { PresentedToken } from '../../lib/refresh-token.ts';
import { profilesThatKeepRefreshTokens } from '../../lib/security-profile.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import { inSeconds, knownSignIn } from '../resource/access-tokens.sql.ts';
import {
  accessTokenOf,
  type IssuedTokens,
  issueColumns,
  issueTokens,
  type NewTokens,
} from './authorization-codes.sql.ts';
import { isAnswerLeft, refreshRules, renewalRules, repetitionRules, scopesOfRefresh } from './token-rules.sql.ts';

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

const presentedColumns = {
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

const isOfGrant = `grants.grant_id = code.grant_id
       and users.user_id = grants.user_id`;

const isRefreshable = `${allHold(refreshRules)}
       and ${isOfGrant}`;

const accessToken = accessTokenOf(scopesOfRefresh, 'grants.expires_at', 'code.family_ends_at');

/** Rotates a refresh token once under any concurrency, in the way in which redeemAuthorizationCode redeems a code. */
const rotation = (proofs: ProofParts) =>
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

/** With `proofs`, it also uses them up; it is refused if they do not count. */
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

/** With `proofs`, it also uses them up; it is refused if they do not count. */
export function keepRefreshToken(
  database: Database,
  refresh: Refresh,
  proofs?: ProofDigests,
): Promise<NewTokens | undefined> {
  return proofs ? unlessUsedMeanwhile(keepWithProofs(database, { ...refresh, ...proofs })) : keep(database, refresh);
}

/** Why a refresh token was not rotated, and what is left of its rotation if it was rotated before. */
export interface RefusedRefresh extends IssuedTokens {
  /** in their order; none if the client keeps its refresh token, or the reason has gone meanwhile */
  broken: (keyof typeof refreshRules)[];
  /** why the answer of its rotation is not repeated */
  broken_repetition: (keyof typeof repetitionRules)[];
  /** whether the access token of that answer is, which all that follows describes; otherwise the answer gets another one */
  is_answer_left: boolean;
  /** of use only to the holder of the old token (deriveSuccessors) */
  successor_salt: Buffer;
  successor_sha256: Buffer;
  access_salt: Buffer;
  answer_sha256: Buffer;
  /** of the refresh tokens */
  family_scopes: string[];
  /** see mayBeAnybody */
  may_be_anybody: boolean;
}

const repeatedScopes = scopesInForceAt('access_token.resource', 'access_token.scopes');

const explain = batched<PresentedRefreshToken & { grace: number }, RefusedRefresh>(
  'explain_refresh_refusal',
  { ...presentedColumns, grace: 'integer' },
  (requests) => `select position, ${brokenRules(refreshRules)} as broken,
     ${brokenRules(repetitionRules)} as broken_repetition, ${isAnswerLeft} as is_answer_left,
     code.code_id, users.user_id, ${subjectOf('users')} as sub, code.scopes as family_scopes, ${mayBeAnybody} as may_be_anybody, ${newResource} as resource,
     code.successor_salt, code.refresh_token_sha256 as successor_sha256, code.successor_access_sha256 as answer_sha256,
     case when code.renewed_salts[1] = code.successor_salt then code.renewed_salts[2] else code.successor_salt end as access_salt, ${knownSignIn}, access_token.binding, ${repeatedScopes} as scopes,
     case when ${repeatedScopes} @> code.scopes then code.requested_scope end as requested_scope,
     ceil(date_part('epoch', access_token.expires_at - now())) as expires_in,
     ceil(date_part('epoch', code.refresh_expires_at - now())) as refresh_expires_in,
     ceil(date_part('epoch', grants.expires_at - now())) as grant_expires_in,
     ${tokenFormatAt('access_token.resource')} as token_format,
     ${inSeconds('access_token.issued_at')} as iat, ${inSeconds('access_token.expires_at')} as exp
   from ${requests}
   left join clients on clients.client_id = requests.client_id
   left join authorization_codes code on code.code_sha256 = requests.family_key
   left join grants on grants.grant_id = code.grant_id
   left join users on users.user_id = grants.user_id
   left join access_tokens access_token
     on access_token.access_token_sha256 = code.successor_access_sha256
     and ${isActiveAccessToken('access_token')}`,
);

/** Why a rotation was refused: a later statement, which sees what the rotation waited for. */
export function explainRefreshRefusal(
  database: Database,
  presented: PresentedRefreshToken,
  grace: number,
): Promise<RefusedRefresh | undefined> {
  return explain(database, { ...presented, grace });
}

/** A repeated refresh whose answer needs another access token. */
export interface Renewal extends Refresh {
  grace: number;
  access_salt: Buffer;
  /** the access token that was the answer so far */
  answer_sha256: Buffer;
}

const renew = batched<Renewal, NewTokens>(
  'renew_repeated_answer',
  { ...presentedColumns, ...issueColumns, grace: 'integer', access_salt: 'bytea', answer_sha256: 'bytea' },
  (requests) => `with granted as (
     update authorization_codes code
     set successor_access_sha256 = requests.access_token_sha256,
       renewed_salts = array[code.successor_salt, requests.access_salt]
     from ${requests}, clients, grants, users
     where ${allHold(renewalRules)}
       and code.successor_access_sha256 = requests.answer_sha256
       and ${isOfGrant}
     returning ${accessToken}, code.refresh_expires_at
   ), ${issueTokens('tokens_refreshed')}`,
);

/** Issues an access token beside the successor, which stays as it is; undefined if another repetition was faster, or a rule is broken meanwhile. */
export function renewRepeatedAnswer(database: Database, renewal: Renewal): Promise<NewTokens | undefined> {
  return renew(database, renewal);
}
