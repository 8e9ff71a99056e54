import { type Database, row, sql } from '../postgres/database.ts';
import { isActiveAccessToken, isActiveRefreshToken, isRedeemable } from './active.ts';
import { isRepeatable, successorOfToken } from './refresh-tokens.ts';

// A family is an authorization code with every token that descends from it; it ends as a whole.

/**
 * After a redemption that found nothing, for a client that has authenticated. A second valid request for a used code
 * revokes what the code produced [6749 §4.1.2]; a wrong verifier spends the code, so that nobody may guess twice.
 * It cannot be a part of the redemption: that statement would not see the tokens of the one it waited for.
 */
const revokeCodeStatement = sql(
  'revoke_authorization_code',
  `update authorization_codes code
   set revoked_at = now()
   from grants
   where code.code_sha256 = $1
     and code.client_id = $2
     and code.revoked_at is null
     and case
       when code.code_challenge <> $3 then code.redeemed_at is null
       else code.redeemed_at is not null and code.code_challenge is not distinct from $3
     end
     and grants.grant_id = code.grant_id
   returning code.code_id, grants.user_id, code.redeemed_at is not null as was_redeemed`,
);

/** The family that ended, if one did, and whether its code had been redeemed before. */
export async function revokeAuthorizationCode(
  database: Database,
  code_sha256: Buffer,
  client_id: string,
  code_challenge: string | undefined,
): Promise<(FamilyOwner & { was_redeemed: boolean }) | undefined> {
  return row(database, revokeCodeStatement, [code_sha256, client_id, code_challenge ?? null]);
}

const revokeFamilyStatement = sql(
  'revoke_family',
  `update authorization_codes
   set revoked_at = now()
   where code_id = $1
     and revoked_at is null
   returning code_id`,
);

/** Ends every token that descends from the code. */
export async function revokeFamily(database: Database, code_id: string): Promise<boolean> {
  return (await row(database, revokeFamilyStatement, [code_id])) !== undefined;
}

/** What an audit event says about a family. */
export interface FamilyOwner {
  code_id: string;
  user_id: number;
}

const revokeFamilyOfStatement = sql(
  'revoke_family_of_refresh_token',
  `update authorization_codes code
   set revoked_at = now()
   from refresh_tokens token, grants
   where token.refresh_token_sha256 = $1
     and code.code_id = token.code_id
     and code.client_id = $2
     and code.revoked_at is null
     and grants.grant_id = code.grant_id
   returning code.code_id, grants.user_id`,
);

export function revokeFamilyOfRefreshToken(
  database: Database,
  digest: Buffer,
  client_id: string,
): Promise<FamilyOwner | undefined> {
  return row<FamilyOwner>(database, revokeFamilyOfStatement, [digest, client_id]);
}

const revokeLeakedStatement = sql(
  'revoke_leaked_family',
  `update authorization_codes code
   set revoked_at = now()
   from grants
   where code.code_id in (
       select code_id
       from access_tokens
       where access_token_sha256 = $1
         and ${isActiveAccessToken('access_tokens')}
       union all
       select token.code_id
       from refresh_tokens token
       left join ${successorOfToken}
       where token.refresh_token_sha256 = $1
         and (${isActiveRefreshToken('token')} or ${isRepeatable('$2')})
       union all
       select code_id
       from authorization_codes
       where code_sha256 = $1
         and ${isRedeemable('authorization_codes')})
     and code.revoked_at is null
     and grants.grant_id = code.grant_id
   returning code.code_id, code.client_id, grants.user_id`,
);

/**
 * The family of a live code or token that somebody found, whoever its client is. Dead ones stand in old logs, and used
 * codes in every browser history: they open nothing any more, so reporting one must not sign its owner out.
 */
export function revokeLeakedFamily(
  database: Database,
  digest: Buffer,
  grace: number,
): Promise<(FamilyOwner & { client_id: string }) | undefined> {
  return row(database, revokeLeakedStatement, [digest, grace]);
}
