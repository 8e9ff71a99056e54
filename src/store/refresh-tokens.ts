import { type Database, row, sql } from '../postgres/database.ts';
import { type IntrospectedToken, inSeconds } from './access-tokens.ts';
import {
  familyOfToken,
  isActiveAccessToken,
  isActiveFamily,
  isActiveRefreshToken,
  isRepeatable,
  scopesInForceAt,
  successorOfToken,
} from './active.ts';
import type { IssuedTokens } from './authorization-codes.ts';
import { type BindingFault, bindingFault, type ProvenKeys, provenBy, provesKeyOf } from './bindings.ts';
import { tokenFormatAt } from './resources.ts';

/** A refresh token that rotateRefreshToken refused although its family is active: unused or rotated before. */
export interface FoundRefreshToken {
  code_id: string;
  user_id: number;
  scopes: string[];
  /** of the authorization request */
  resources: string[];
  /** what the request does not prove; null if it proves all that the token demands */
  binding_fault: BindingFault | null;
  is_rotated: boolean;
  /**
   * rotated, and presented after the grace period, after its successor was used, or without the key to which its first use has bound
   * the successor: two parties hold the token
   */
  is_reused: boolean;
  /** what the rotation answered; undefined if the token is not rotated or is reused, or if that access token is not active */
  answer: StoredAnswer | undefined;
}

export interface StoredAnswer extends IssuedTokens {
  successor_salt: Buffer;
  successor_sha256: Buffer;
}

const repeatedScopes = scopesInForceAt('access_token.resource', 'access_token.scopes');

/** The salt is of use only to the holder of the old token (deriveSuccessors). */
const findRefreshTokenStatement = sql(
  'find_refresh_token',
  `select token.code_id, users.user_id, token.scopes, code.resources, ${bindingFault('token.binding')} as binding_fault, token.successor_salt, token.successor_sha256,
     token.rotated_at is not null as is_rotated,
     token.rotated_at is not null and not (${isRepeatable('$3')} and ${provesKeyOf('successor.binding')}) as is_reused,
     ${repeatedScopes} as access_scopes, access_token.resource, access_token.binding,
     case when ${repeatedScopes} @> token.scopes then code.requested_scope end as requested_scope,
     ceil(date_part('epoch', access_token.expires_at - now())) as expires_in,
     ceil(date_part('epoch', successor.expires_at - now())) as refresh_expires_in,
     ${tokenFormatAt('access_token.resource')} as token_format,
     ${inSeconds('access_token.issued_at')} as iat, ${inSeconds('access_token.expires_at')} as exp
   from refresh_tokens token
   join ${familyOfToken}
   cross join ${provenBy('$4', '$5')}
   left join ${successorOfToken}
   left join access_tokens access_token
     on access_token.access_token_sha256 = token.successor_access_sha256
     and ${isActiveAccessToken('access_token')}
     and ${isActiveRefreshToken('successor')}
   where token.refresh_token_sha256 = $1
     and code.client_id = $2
     and (token.rotated_at is not null or ${isActiveRefreshToken('token')})
     and ${isActiveFamily}`,
);

interface RefreshTokenRow
  extends Omit<FoundRefreshToken, 'answer'>,
    Pick<
      IssuedTokens,
      'resource' | 'binding' | 'token_format' | 'requested_scope' | 'refresh_expires_in' | 'iat' | 'exp'
    > {
  successor_salt: Buffer | null;
  successor_sha256: Buffer | null;
  access_scopes: string[];
  /** of the access token that the rotation answered; null unless it is active */
  expires_in: number | null;
}

export async function findRefreshToken(
  database: Database,
  {
    refresh_token_sha256,
    client_id,
    dpop,
    certificate,
  }: ProvenKeys & { refresh_token_sha256: Buffer; client_id: string },
  grace: number,
): Promise<FoundRefreshToken | undefined> {
  const values = [refresh_token_sha256, client_id, grace, dpop ?? null, certificate ?? null];
  const found = await row<RefreshTokenRow>(database, findRefreshTokenStatement, values);
  return found && { ...found, answer: answerIn(found) };
}

function answerIn(found: RefreshTokenRow): StoredAnswer | undefined {
  const { is_reused, successor_salt, successor_sha256, expires_in, access_scopes: scopes } = found;
  const { code_id, user_id, requested_scope, refresh_expires_in, resource, binding, token_format, iat, exp } = found;
  if (is_reused || !successor_salt || !successor_sha256 || expires_in === null) return undefined;
  const access = { user_id, resource, binding, scopes, requested_scope, expires_in, token_format, iat, exp };
  return { ...access, code_id, refresh_expires_in, successor_salt, successor_sha256 };
}

const introspectStatement = sql(
  'introspect_refresh_token',
  `select code.client_id, ${inSeconds('token.issued_at')} as iat, ${inSeconds('token.expires_at')} as exp,
     users.user_id, users.username, code.gives_username, token.binding,
     array(
       select scope
       from unnest(token.scopes) scope
       where exists (
         select
         from unnest(code.resources) resource
         where scope = any (${scopesInForceAt('resource', 'token.scopes')}))) as scopes
   from refresh_tokens token
   join ${familyOfToken}
   where token.refresh_token_sha256 = $1
     and ${isActiveRefreshToken('token')}
     and ${isActiveFamily}`,
);

export function introspectRefreshToken(
  database: Database,
  refresh_token_sha256: Buffer,
): Promise<IntrospectedToken | undefined> {
  return row<IntrospectedToken>(database, introspectStatement, [refresh_token_sha256]);
}
