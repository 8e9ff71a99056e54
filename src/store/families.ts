import { type Database, row, sql } from '../postgres/database.ts';
import type { CredentialKeys, PresentedToken } from '../protocol/refresh-token.ts';
import {
  isActiveAccessToken,
  isActiveRefreshToken,
  isOfFamily,
  isRedeemable,
  isRepeatable,
  isUnrevoked,
} from './active.ts';

// A family is an authorization code and every token issued with it or by refreshing those tokens. It is revoked as a whole.

const revokeFamilyStatement = sql(
  'revoke_family',
  `update authorization_codes code
   set revoked_at = now()
   where code_id = $1
     and ${isUnrevoked('code')}
     and ($2 = 'family' or code.redeemed_at is null)
   returning code_id`,
);

/**
 * False if there was nothing left to revoke. After a refusal it must be a later statement than the redemption, which would not see the
 * tokens of the redemption that it waited for.
 */
export async function revokeFamily(
  database: Database,
  code_id: string,
  what: 'family' | 'code' = 'family',
): Promise<boolean> {
  return (await row(database, revokeFamilyStatement, [code_id, what])) !== undefined;
}

/** What the audit trail records of a family. */
export interface FamilyOwner {
  code_id: string;
  user_id: number;
}

const revokeFamilyOfTokenStatement = sql(
  'revoke_family_of_refresh_token',
  `update authorization_codes code
   set revoked_at = now()
   from grants
   where code.code_sha256 = $1
     and ${isOfFamily({ sha256: '$2', generation: '$3', is_genuine: '$4' })}
     and code.client_id = $5
     and ${isUnrevoked('code')}
     and grants.grant_id = code.grant_id
   returning code.code_id, grants.user_id`,
);

export function revokeFamilyOfRefreshToken(
  database: Database,
  { family_key, refresh_token_sha256, generation, is_genuine }: PresentedToken,
  client_id: string,
): Promise<FamilyOwner | undefined> {
  const values = [family_key, refresh_token_sha256, generation, is_genuine, client_id];
  return row<FamilyOwner>(database, revokeFamilyOfTokenStatement, values);
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
       select code_id
       from authorization_codes code
       where code_sha256 = $1
         and (${isActiveRefreshToken('$2')} or ${isRepeatable('$2', '$3')})
       union all
       select code_id
       from authorization_codes
       where code_sha256 = $1
         and ${isRedeemable('authorization_codes')}
         and $2::bytea is null)
     and ${isUnrevoked('code')}
     and grants.grant_id = code.grant_id
   returning code.code_id, code.client_id, grants.user_id`,
);

/**
 * Revokes the family of an active code or token that was found by anybody. Inactive ones do nothing: they are in old logs,
 * and used codes in every browser history, and reporting one must not sign its owner out.
 */
export function revokeLeakedFamily(
  database: Database,
  { key, refresh_token }: CredentialKeys,
  grace: number,
): Promise<(FamilyOwner & { client_id: string }) | undefined> {
  return row(database, revokeLeakedStatement, [key, refresh_token?.refresh_token_sha256 ?? null, grace]);
}
