import { type OneTimeProof, type ProofFault, proofFault, storeProofs } from '../../clients/used-proofs.sql.ts';
import { subjectOf } from '../../identity/active.sql.ts';
import type { Binding } from '../../lib/binding.ts';
import { profileFieldNames, type StoredProfile } from '../../lib/profile.ts';
import { thisServer } from '../../lib/resource.ts';
import type { SignIn } from '../../lib/step-up.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import { familyOfToken, isActiveAccessToken, isActiveFamily, scopesInForce } from '../active.sql.ts';
import { grantToTouch } from '../consent/grants.sql.ts';

/** An active token and the person who granted it; `scopes` are those that are in force now. */
export interface ActiveAccessToken extends StoredProfile, SignIn {
  client_id: string;
  scopes: string[];
  user_id: number;
  sub: string;
  username: string;
  /** whether the client may learn the username although the person did not grant user:name, see the GitHub-compatible endpoints */
  gives_username: boolean;
  binding: Binding;
  /** whether an administrator vouches for the client */
  vouched: boolean;
  /** see grantToTouch */
  grant_to_touch: string | null;
}

export const tokenAndFamily = (requests: string) => `${requests}
   join access_tokens token on token.access_token_sha256 = requests.access_token_sha256
   join ${familyOfToken}`;

export const isActive = `${isActiveAccessToken('token')}
     and ${isActiveFamily}`;

export const tokenKeyColumns = { access_token_sha256: 'bytea' } as const;

export type TokenKey = Record<keyof typeof tokenKeyColumns, Buffer>;

const activeColumns = `code.client_id, users.user_id, ${subjectOf('users')} as sub, users.username, users.email_verified, code.gives_username, token.binding, clients.vouched,
     code.acr, abs(date_part('epoch', now() - code.auth_time)) as auth_age,
     ${profileFieldNames.map((field) => `users.${field}`).join(', ')},
     ${scopesInForce('token.scopes')} as scopes,
     ${grantToTouch}`;

const isActiveHere = `${isActive}
     and token.resource = '${thisServer}'`;

const findActive = batched<TokenKey, ActiveAccessToken>(
  'find_active_access_token',
  tokenKeyColumns,
  (requests) => `
   select position, ${activeColumns}
   from ${tokenAndFamily(requests)}
   where ${isActiveHere}`,
);

/** All that the resource server asks of the authorization server; to this resource, a token for another resource does not exist. */
export function findActiveAccessToken(
  database: Database,
  access_token_sha256: Buffer,
): Promise<ActiveAccessToken | undefined> {
  return findActive(database, { access_token_sha256 });
}

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

/** A time in the form of JWTs and introspection: seconds since 1970 [7519 §2]. */
export const inSeconds = (time: string) => `floor(date_part('epoch', ${time}))`;

/** The sign-in from which the code of a token came, as tokens and introspection tell it; null where it is unknown [9470 §6]. */
export interface KnownSignIn extends Pick<SignIn, 'acr'> {
  /** in seconds */
  auth_time: number | null;
}

/** The sign-in of `code`. No time lies in the future, also after the clock of the database was put back. */
export const knownSignIn = `code.acr, case when code.auth_time is not null then ${inSeconds('least(code.auth_time, now())')} end as auth_time`;

/** What never changes about an access token, active or not; times in seconds. */
export interface AccessTokenFacts {
  client_id: string;
  user_id: number;
  sub: string;
  resource: string;
  binding: Binding;
  iat: number;
  exp: number;
}
