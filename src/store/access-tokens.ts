import { batched } from '../postgres/batches.ts';
import { type Database, row, sql } from '../postgres/database.ts';
import { familyOfToken, isActiveAccessToken, isActiveFamily, scopesInForce } from './active.ts';
import type { FamilyOwner } from './families.ts';
import { staleGrant } from './last-use.ts';

/** A live token with the person it speaks for; scopes are what is left of them today. */
export interface ActiveAccessToken {
  client_id: string;
  scopes: string[];
  user_id: number;
  username: string;
  name: string | null;
  email: string | null;
  email_verified: boolean;
  /** see staleGrant */
  stale_grant_id: string | null;
}

const activeToken = (asked: string) => `
   from ${asked}
   join access_tokens token on token.access_token_sha256 = asked.access_token_sha256
   join ${familyOfToken}
   where ${isActiveAccessToken('token')}
     and ${isActiveFamily}`;

const columns = { access_token_sha256: 'bytea' } as const;
type Asked = Record<keyof typeof columns, Buffer>;

const findActive = batched<Asked, ActiveAccessToken>(
  'find_active_access_token',
  columns,
  (asked) => `
   select place, code.client_id, users.user_id, users.username, users.name, users.email, users.email_verified,
     ${scopesInForce('token.scopes')} as scopes,
     ${staleGrant}
   ${activeToken(asked)}`,
);

/** The one question the resource server asks. */
export function findActiveAccessToken(
  database: Database,
  access_token_sha256: Buffer,
): Promise<ActiveAccessToken | undefined> {
  return findActive(database, { access_token_sha256 });
}

/** What introspection tells about a live token; times in seconds [7662 §2.2]. */
export interface TokenDescription extends Pick<ActiveAccessToken, 'client_id' | 'scopes' | 'user_id' | 'username'> {
  iat: number;
  exp: number;
}

const describeActive = batched<Asked, TokenDescription>(
  'describe_active_access_token',
  columns,
  (asked) => `
   select place, code.client_id, users.user_id, users.username, ${scopesInForce('token.scopes')} as scopes,
     floor(date_part('epoch', token.issued_at)) as iat, floor(date_part('epoch', token.expires_at)) as exp
   ${activeToken(asked)}`,
);

export function describeActiveAccessToken(
  database: Database,
  access_token_sha256: Buffer,
): Promise<TokenDescription | undefined> {
  return describeActive(database, { access_token_sha256 });
}

const revokeStatement = sql(
  'revoke_access_token',
  `update access_tokens token
   set revoked_at = now()
   from authorization_codes code, grants
   where token.access_token_sha256 = $1
     and code.code_id = token.code_id
     and code.client_id = $2
     and token.revoked_at is null
     and grants.grant_id = code.grant_id
   returning token.code_id, grants.user_id`,
);

export function revokeAccessToken(
  database: Database,
  digest: Buffer,
  client_id: string,
): Promise<FamilyOwner | undefined> {
  return row<FamilyOwner>(database, revokeStatement, [digest, client_id]);
}

const narrowStatement = sql(
  'narrow_access_token',
  `update access_tokens
   set scopes = array(select scope from unnest(scopes) scope where scope = any ($2))
   where access_token_sha256 = $1
     and scopes && $2
   returning scopes`,
);

/** Leaves a token those of its scopes that are in the list, for good; undefined when that would be none. */
export async function narrowAccessToken(
  database: Database,
  digest: Buffer,
  scopes: readonly string[],
): Promise<string[] | undefined> {
  return (await row<{ scopes: string[] }>(database, narrowStatement, [digest, scopes]))?.scopes;
}

const expireStatement = sql(
  'expire_access_token',
  `update access_tokens token
   set expires_at = now()
   from authorization_codes code
   where token.access_token_sha256 = $1
     and code.code_id = token.code_id
     and code.client_id = $2
   returning token.code_id`,
);

/** Ends a token before its time: for the demo, which cannot make anybody wait for the end of a real one. */
export async function expireAccessToken(database: Database, digest: Buffer, client_id: string): Promise<boolean> {
  return (await row(database, expireStatement, [digest, client_id])) !== undefined;
}
