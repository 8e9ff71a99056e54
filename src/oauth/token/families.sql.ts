import { type AuditEventName, eventOf, eventValues, type OperatorsTrace, type Trace } from '../../audit/audit.sql.ts';
import type { FamilyEnd } from '../../clients/client-rules.sql.ts';
import { isUnrevoked } from '../../identity/active.sql.ts';
import type { CredentialKeys, PresentedToken } from '../../lib/refresh-token.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { isActiveAccessToken, isActiveRefreshToken, isOfFamily, isRedeemable, isRepeatable } from '../rules.sql.ts';

// A family is an authorization code and every token issued with it or by refreshing those tokens. Its row is the row of the code in
// authorization_codes, and it is revoked as a whole.

/** What the audit trail records of a family. */
export interface FamilyOwner {
  code_id: string;
  user_id: number;
  client_id: string;
}

/** Revokes the families that `where` finds, with the event, whose first value is $first. */
const revoking = (event: AuditEventName, where: string, first: number) => `with revoked as (
     update authorization_codes code
     set revoked_at = now()
     from grants
     where ${where}
       and ${isUnrevoked('code')}
       and grants.grant_id = code.grant_id
     returning code.code_id, code.client_id, grants.user_id
   ), ${eventOf(event, 'revoked', first, { client_id: 'client_id', code_id: 'code_id' })}
   select code_id, client_id, user_id
   from revoked`;

const byId = 'code.code_id = $1';

/** What a request ends that breaks a rule: the family, or only a code that has not given tokens yet. */
export const familyEnds: Readonly<Record<FamilyEnd, 'family' | 'code'>> = {
  code_reused: 'family',
  refresh_token_reused: 'family',
  code_verifier_wrong: 'code',
};

const ending = (event: FamilyEnd) =>
  sql(
    `end_${familyEnds[event]}_by_${event}`,
    revoking(event, familyEnds[event] === 'family' ? byId : `${byId}\n       and code.redeemed_at is null`, 2),
  );

const endings = {
  code_reused: ending('code_reused'),
  refresh_token_reused: ending('refresh_token_reused'),
  code_verifier_wrong: ending('code_verifier_wrong'),
};

/**
 * Undefined if there was nothing left to end. It must be a later statement than the one that was refused, which would not see the
 * tokens of a redemption that it waited for.
 */
export function endFamily(
  database: Database,
  code_id: string,
  event: FamilyEnd,
  trace: OperatorsTrace,
): Promise<FamilyOwner | undefined> {
  return row<FamilyOwner>(database, endings[event], [code_id, ...eventValues(trace)]);
}

const revokeFamilyStatement = sql('revoke_family', revoking('token_revoked', byId, 2));

/** Undefined if there was nothing left to revoke. */
export function revokeFamily(
  database: Database,
  code_id: string,
  trace: OperatorsTrace,
): Promise<FamilyOwner | undefined> {
  return row<FamilyOwner>(database, revokeFamilyStatement, [code_id, ...eventValues(trace)]);
}

const isOfClient = (client_id: string) => `code.client_id = ${client_id}`;

const revokeFamilyOfRefreshTokenStatement = sql(
  'revoke_family_of_refresh_token',
  revoking(
    'token_revoked',
    `code.code_sha256 = $1
       and ${isOfFamily({ sha256: '$2', generation: '$3', is_genuine: '$4' })}
       and ${isOfClient('$5')}`,
    6,
  ),
);

export function revokeFamilyOfRefreshToken(
  database: Database,
  { family_key, refresh_token_sha256, generation, is_genuine }: PresentedToken,
  client_id: string,
  trace: OperatorsTrace,
): Promise<FamilyOwner | undefined> {
  const values = [family_key, refresh_token_sha256, generation, is_genuine, client_id, ...eventValues(trace)];
  return row<FamilyOwner>(database, revokeFamilyOfRefreshTokenStatement, values);
}

const revokeFamilyOfAccessTokenStatement = sql(
  'revoke_family_of_access_token',
  revoking(
    'token_revoked',
    `code.code_id = (
         select token.code_id
         from access_tokens token
         where token.access_token_sha256 = $1
           and ${isUnrevoked('token')})
       and ${isOfClient('$2')}`,
    3,
  ),
);

export function revokeFamilyOfAccessToken(
  database: Database,
  access_token_sha256: Buffer,
  client_id: string,
  trace: OperatorsTrace,
): Promise<FamilyOwner | undefined> {
  const values = [access_token_sha256, client_id, ...eventValues(trace)];
  return row<FamilyOwner>(database, revokeFamilyOfAccessTokenStatement, values);
}

const revokeLeakedStatement = sql(
  'revoke_leaked_family',
  revoking(
    'token_leaked',
    `code.code_id in (
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
           and $2::bytea is null)`,
    4,
  ),
);

/**
 * Revokes the family of an active code or token that was found by anybody. Inactive ones do nothing: they are in old logs,
 * and used codes in every browser history, and reporting one must not sign its owner out.
 */
export function revokeLeakedFamily(
  database: Database,
  { key, refresh_token }: CredentialKeys,
  grace: number,
  trace: OperatorsTrace,
): Promise<FamilyOwner | undefined> {
  const values = [key, refresh_token?.refresh_token_sha256 ?? null, grace, ...eventValues(trace)];
  return row<FamilyOwner>(database, revokeLeakedStatement, values);
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

/** Revokes an access token for an operator. */
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

/**
 * Revokes an access token for its client, which may do so after each refresh: the first revocation of a day in each family is an
 * event that is kept for long.
 */
export function revokeOwnAccessToken(
  database: Database,
  access_token_sha256: Buffer,
  client_id: string,
  trace: Trace,
): Promise<FamilyOwner | undefined> {
  return row<FamilyOwner>(database, revokeOwnStatement, [access_token_sha256, client_id, ...eventValues(trace)]);
}
