import { eventOf, eventValues, type OperatorsTrace, type Trace } from '../../audit/audit.sql.ts';
import { type OneTimeProof, type ProofFault, proofFault, storeProofs } from '../../clients/used-proofs.sql.ts';
import {
  familyOfToken,
  isActiveAccessToken,
  isActiveFamily,
  isUnrevoked,
  scopesInForce,
  scopesInForceAt,
  subjectOf,
} from '../../identity/active.sql.ts';
import type { Binding } from '../../lib/binding.ts';
import { profileFieldNames, type StoredProfile } from '../../lib/profile.ts';
import { thisServer } from '../../lib/resource.ts';
import type { SignIn } from '../../lib/step-up.ts';
import { batched } from '../../postgres/batches.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { grantToTouch } from '../consent/grants.sql.ts';
import type { FamilyOwner } from '../token/families.sql.ts';

/** An active token and the person who granted it; `scopes` are those that are in force now. */
export interface ActiveAccessToken extends StoredProfile, SignIn {
  client_id: string;
  scopes: string[];
  user_id: number;
  sub: string;
  username: string;
  /** whether it may tell the username although the person did not grant user:name, see the GitHub-compatible endpoints */
  gives_username: boolean;
  binding: Binding;
  /** whether an administrator vouches for the client */
  vouched: boolean;
  /** see grantToTouch */
  grant_to_touch: string | null;
}

const tokenAndFamily = (requests: string) => `${requests}
   join access_tokens token on token.access_token_sha256 = requests.access_token_sha256
   join ${familyOfToken}`;

const isActive = `${isActiveAccessToken('token')}
     and ${isActiveFamily}`;

const columns = { access_token_sha256: 'bytea' } as const;
type Request = Record<keyof typeof columns, Buffer>;

const activeColumns = `code.client_id, users.user_id, ${subjectOf('users')} as sub, users.username, users.email_verified, code.gives_username, token.binding, clients.vouched,
     code.acr, abs(date_part('epoch', now() - code.auth_time)) as auth_age,
     ${profileFieldNames.map((field) => `users.${field}`).join(', ')},
     ${scopesInForce('token.scopes')} as scopes,
     ${grantToTouch}`;

const isActiveHere = `${isActive}
     and token.resource = '${thisServer}'`;

const findActive = batched<Request, ActiveAccessToken>(
  'find_active_access_token',
  columns,
  (requests) => `
   select position, ${activeColumns}
   from ${tokenAndFamily(requests)}
   where ${isActiveHere}`,
);

/** All that the resource server asks of the authorization server; a token for another resource is none for this one. */
export function findActiveAccessToken(
  database: Database,
  access_token_sha256: Buffer,
): Promise<ActiveAccessToken | undefined> {
  return findActive(database, { access_token_sha256 });
}

/** The proof with which a token is presented. */
interface PresentedProof extends OneTimeProof {
  /** what it opens */
  binding: string;
  /** whether the request was counted, which is demanded of a client for which no administrator vouches */
  is_counted: boolean;
}

interface ProvenAccessToken extends ActiveAccessToken {
  /** nothing was stored: the request must be counted first */
  is_to_count: boolean;
  /** null: it counts, or does not open the token */
  proof_fault: ProofFault | null;
}

const findWithProof = batched<Request & PresentedProof, ProvenAccessToken>(
  'find_active_access_token_with_proof',
  { ...columns, proof_sha256: 'bytea', expires_at: 'bigint', binding: 'text', is_counted: 'boolean' },
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

/** Of `code`. No time is of the future, also after the clock of the database was put back. */
export const knownSignIn = `code.acr, case when code.auth_time is not null then ${inSeconds('least(code.auth_time, now())')} end as auth_time`;

/** What introspection says about an active token; times in seconds [7662 §2.2]. */
export interface IntrospectedToken
  extends KnownSignIn,
    Pick<
      ActiveAccessToken,
      | 'client_id'
      | 'scopes'
      | 'user_id'
      | 'sub'
      | 'username'
      | 'email'
      | 'email_verified'
      | 'gives_username'
      | 'binding'
    > {
  iat: number;
  exp: number;
}

export interface IntrospectedAccessToken extends IntrospectedToken {
  resource: string;
  /** the client of the resource's own server; null at this server */
  resource_client_id: string | null;
}

const introspectActive = batched<Request, IntrospectedAccessToken>(
  'introspect_access_token',
  columns,
  (requests) => `
   select position, code.client_id, users.user_id, ${subjectOf('users')} as sub, users.username, users.email, users.email_verified, code.gives_username, token.binding, ${knownSignIn},
     ${scopesInForceAt('token.resource', 'token.scopes')} as scopes, token.resource, resources.client_id as resource_client_id,
     ${inSeconds('token.issued_at')} as iat, ${inSeconds('token.expires_at')} as exp
   from ${tokenAndFamily(requests)}
   left join resources on resources.resource = token.resource
   where ${isActive}`,
);

export function introspectAccessToken(
  database: Database,
  access_token_sha256: Buffer,
): Promise<IntrospectedAccessToken | undefined> {
  return introspectActive(database, { access_token_sha256 });
}

const revoked = `revoked as (
     update access_tokens token
     set revoked_at = now()
     from authorization_codes code, grants
     where token.access_token_sha256 = $1
       and code.code_id = token.code_id
       and code.client_id = $2
       and ${isUnrevoked('token')}
       and grants.grant_id = code.grant_id
     returning token.code_id, code.client_id, grants.user_id
   )`;

const ownerColumns = { client_id: 'client_id', code_id: 'code_id' };

const revokeStatement = sql(
  'revoke_access_token',
  `with ${revoked}, ${eventOf('token_revoked', 'revoked', 3, ownerColumns)}
   select code_id, client_id, user_id
   from revoked`,
);

/** By an operator. */
export function revokeAccessToken(
  database: Database,
  access_token_sha256: Buffer,
  client_id: string,
  trace: OperatorsTrace,
): Promise<FamilyOwner | undefined> {
  return row<FamilyOwner>(database, revokeStatement, [access_token_sha256, client_id, ...eventValues(trace)]);
}

const revokeOwnStatement = sql(
  'revoke_own_access_token',
  `with ${revoked}, noted as (
     select *, exists (
       select
       from audit_events
       where audit_events.code_id = revoked.code_id
         and audit_events.event = 'token_revoked'
         and audit_events.happened_at > now() - interval '1 day') as is_routine
     from revoked
   ), ${eventOf('token_revoked', '(select * from noted where not is_routine) first', 3, ownerColumns)}, routine_event as (
     insert into routine_events (event, user_id, client_id, code_id, request_id, address)
     select 'token_revoked', user_id, client_id, code_id, $3, $4
     from noted
     where is_routine
   )
   select code_id, client_id, user_id
   from revoked`,
);

/** By its client, which may do so after each refresh: of each family, the first one of a day is an event that is kept for long. */
export function revokeOwnAccessToken(
  database: Database,
  access_token_sha256: Buffer,
  client_id: string,
  trace: Trace,
): Promise<FamilyOwner | undefined> {
  return row<FamilyOwner>(database, revokeOwnStatement, [access_token_sha256, client_id, ...eventValues(trace)]);
}

const narrowStatement = sql(
  'narrow_access_token',
  `update access_tokens
   set scopes = array(select scope from unnest(scopes) scope where scope = any ($2))
   where access_token_sha256 = $1
     and scopes && $2
   returning scopes`,
);

/** Removes from a token every scope that is not in the list; undefined when none would be left. */
export async function narrowAccessToken(
  database: Database,
  access_token_sha256: Buffer,
  scopes: readonly string[],
): Promise<string[] | undefined> {
  return (await row<{ scopes: string[] }>(database, narrowStatement, [access_token_sha256, scopes]))?.scopes;
}

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

const findFactsStatement = sql(
  'find_access_token_facts',
  `select code.client_id, grants.user_id, ${subjectOf('users')} as sub, token.resource, token.binding,
     ${inSeconds('token.issued_at')} as iat, ${inSeconds('token.expires_at')} as exp
   from access_tokens token
   join authorization_codes code on code.code_id = token.code_id
   join grants on grants.grant_id = code.grant_id
   join users on users.user_id = grants.user_id
   where token.access_token_sha256 = $1`,
);

export function findAccessTokenFacts(
  database: Database,
  access_token_sha256: Buffer,
): Promise<AccessTokenFacts | undefined> {
  return row<AccessTokenFacts>(database, findFactsStatement, [access_token_sha256]);
}
