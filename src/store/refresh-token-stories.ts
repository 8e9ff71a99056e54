import { type Database, row, sql } from '../postgres/database.ts';
import type { TokenDescription } from './access-tokens.ts';
import { familyOfToken, isActiveAccessToken, isActiveFamily, isActiveRefreshToken, scopesInForce } from './active.ts';
import type { IssuedTokens } from './authorization-codes.ts';
import { isRepeatable, successorOfToken } from './refresh-tokens.ts';

/** What can be said about a refresh token of this client that was not rotated just now. */
export interface RefreshTokenStory {
  code_id: string;
  user_id: number;
  scopes: string[];
  is_rotated: boolean;
  /** rotated, and presented too late or after its successor was used: then two parties hold it */
  is_reused: boolean;
  /** of a rotated token that is not reused: what its rotation answered, unless that is dead by now */
  answer: StoredAnswer | undefined;
}

export interface StoredAnswer extends IssuedTokens {
  successor_salt: Buffer;
  successor_sha256: Buffer;
}

/** Only where everything above is still alive. The salt says nothing to who does not hold the old token. */
const findRefreshTokenStatement = sql(
  'find_refresh_token',
  `select token.code_id, users.user_id, token.scopes, token.successor_salt, token.successor_sha256,
     token.rotated_at is not null as is_rotated,
     token.rotated_at is not null and not ${isRepeatable('$3')} as is_reused,
     ${scopesInForce('access_token.scopes')} as access_scopes,
     ceil(date_part('epoch', access_token.expires_at - now())) as expires_in
   from refresh_tokens token
   join ${familyOfToken}
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

interface RefreshTokenRow extends Omit<RefreshTokenStory, 'answer'> {
  successor_salt: Buffer | null;
  successor_sha256: Buffer | null;
  access_scopes: string[];
  /** of the access token that was answered, while it is alive */
  expires_in: number | null;
}

export async function findRefreshToken(
  database: Database,
  refresh_token_sha256: Buffer,
  client_id: string,
  grace: number,
): Promise<RefreshTokenStory | undefined> {
  const values = [refresh_token_sha256, client_id, grace];
  const found = await row<RefreshTokenRow>(database, findRefreshTokenStatement, values);
  return found && { ...found, answer: answerIn(found) };
}

function answerIn(found: RefreshTokenRow): StoredAnswer | undefined {
  const { is_reused, successor_salt, successor_sha256, expires_in, access_scopes, code_id, user_id } = found;
  if (is_reused || !successor_salt || !successor_sha256 || expires_in === null) return undefined;
  const issued = { code_id, user_id, scopes: access_scopes, expires_in, has_refresh_token: true };
  return { ...issued, successor_salt, successor_sha256 };
}

const findActiveStatement = sql(
  'find_active_refresh_token',
  `select code.client_id, floor(date_part('epoch', token.issued_at)) as iat,
     floor(date_part('epoch', token.expires_at)) as exp, users.user_id, users.username,
     ${scopesInForce('token.scopes')} as scopes
   from refresh_tokens token
   join ${familyOfToken}
   where token.refresh_token_sha256 = $1
     and ${isActiveRefreshToken('token')}
     and ${isActiveFamily}`,
);

/** A refresh token that would still be accepted, for introspection. */
export function findActiveRefreshToken(database: Database, digest: Buffer): Promise<TokenDescription | undefined> {
  return row<TokenDescription>(database, findActiveStatement, [digest]);
}
