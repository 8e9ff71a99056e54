import { registeredElsewhere } from '../../clients/origins.sql.ts';
import { isOfThisTime, subjectOf } from '../../identity/active.sql.ts';
import type { Binding } from '../../lib/binding.ts';
import type { CredentialKeys } from '../../lib/refresh-token.ts';
import { thisServer } from '../../lib/resource.ts';
import type { CredentialKind } from '../../lib/secrets.ts';
import type { SignIn } from '../../lib/step-up.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { familyOfToken, isOfFamily, isRevokedWithClient } from '../rules.sql.ts';

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

/** All that is stored about a code or token, active or not, and about its family, grant, client and person. */
export interface TokenFacts {
  kind: CredentialKind;
  client_id: string;
  user_id: number;
  code_id: string;
  issued_at: Date;
  expires_at: Date;
  /** when the access token itself was revoked */
  revoked_at: Date | null;
  /** when the refresh token was exchanged for its successor; of one that is older than the last, when the last one was */
  rotated_at: Date | null;
  redeemed_at: Date | null;
  family_revoked_at: Date | null;
  grant_revoked_at: Date | null;
  grant_expires_at: Date | null;
  client_disabled_at: Date | null;
  user_disabled_at: Date | null;
  /** whether the person has withdrawn a part of its scopes, and when they last changed the grant */
  is_reduced: boolean;
  grant_changed_at: Date;
  /** whether the client is no longer registered for a part of its scopes */
  is_narrowed: boolean;
  /** the scopes and resources that the code or token was issued for */
  scopes: string[];
  resources: string[];
  /** the database's clock, which set the other times */
  read_at: Date;
}

/** Whether the person withdrew one of the scopes from one of the resources after allowing them. */
const isReduced = (scopes: string, resources: string) => `exists (
       select
       from unnest(${scopes}) scope, unnest(${resources}) resource
       where scope <> all (grants.scopes)
         or case resource when '${thisServer}' then scope else scope || '@' || resource end <> all (grants.decided))`;

const findFactsStatement = sql(
  'find_token_facts',
  `select token.kind, code.client_id, grants.user_id, token.code_id, token.issued_at,
     case when ${isOfThisTime('token.issued_at')} then token.expires_at else now() end as expires_at, token.revoked_at, token.rotated_at,
     code.redeemed_at,
     least(code.revoked_at, case when ${isRevokedWithClient} then clients.tokens_not_before end) as family_revoked_at,
     grants.revoked_at as grant_revoked_at, grants.expires_at as grant_expires_at,
     clients.disabled_at as client_disabled_at, users.disabled_at as user_disabled_at,
     ${isReduced('token.scopes', 'coalesce(token.resources, code.resources)')} as is_reduced, greatest(grants.granted_at, grants.changed_at) as grant_changed_at,
     not token.scopes <@ case
       when '${thisServer}' = any (coalesce(token.resources, code.resources)) then clients.scopes
       else ${registeredElsewhere('token.scopes')} end as is_narrowed,
     token.scopes, coalesce(token.resources, code.resources) as resources, now() as read_at
   from (
     select 'authorization_code' as kind, code_id, scopes, issued_at, expires_at,
       null::timestamptz as revoked_at, null::timestamptz as rotated_at, null::text[] as resources
     from authorization_codes
     where code_sha256 = $1
       and $2::bytea is null
     union all
     select 'access_token', code_id, scopes, issued_at, expires_at, revoked_at, null, array[resource]
     from access_tokens
     where access_token_sha256 = $1
     union all
     select 'refresh_token', code_id, scopes, to_timestamp($5), refresh_expires_at, null,
       case when refresh_token_sha256 <> $2 then refresh_issued_at end, null
     from authorization_codes code
     where code_sha256 = $1
       and ${isOfFamily({ sha256: '$2', generation: '$3', is_genuine: '$4' })}) token
   join ${familyOfToken}`,
);

/** Finds the token of any client; callers must not reveal the token of one client to another. */
export function findTokenFacts(
  database: Database,
  { key, refresh_token }: CredentialKeys,
): Promise<TokenFacts | undefined> {
  const { refresh_token_sha256 = null, generation = null, is_genuine = null, made_at = null } = refresh_token ?? {};
  return row<TokenFacts>(database, findFactsStatement, [key, refresh_token_sha256, generation, is_genuine, made_at]);
}

const findUnchangingFacts = sql(
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
  return row<AccessTokenFacts>(database, findUnchangingFacts, [access_token_sha256]);
}
