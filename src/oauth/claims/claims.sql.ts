import { isEnabled } from '../../identity/active.sql.ts';
import { type Database, rows, sql } from '../../postgres/database.ts';
import { keptFor } from '../../postgres/kept.ts';
import { operatorsFunctions } from '../../postgres/operators-function.ts';

/** What the operator defines beside the profile, see migrations/functions/register_claim.sql. */
export interface Claim {
  name: string;
  /** which a token must have */
  scope: string;
}

const listClaimsStatement = sql(
  'list_claims',
  `select name, scope
   from claims
   where ${isEnabled('claims')}
   order by name`,
);

/** Only seeds change it. */
const registered = keptFor<readonly Claim[]>(5000);

export function findClaims(database: Database): Promise<readonly Claim[]> {
  return registered(database, () => rows(database, listClaimsStatement));
}

/** Reads the claims anew, before something is refused because no claim is known. */
export function findLatestClaims(database: Database): Promise<readonly Claim[]> {
  return registered.latest(database, () => rows(database, listClaimsStatement));
}

const callClaim = operatorsFunctions({ longestStatement: 50, longestWait: 100 });

/** What the operator's query says about a person; null if nothing. Rejects if it fails or takes too long. */
export function findClaimValue(database: Database, { name }: Claim, sub: string): Promise<unknown> {
  return callClaim(database, `claim ${name}`, [sub]);
}

const listUnreadableStatement = sql(
  'list_unreadable_claims',
  `select claims.name
   from claims
   left join pg_proc defined
     on defined.proname = 'claim ' || claims.name
     and defined.pronamespace = current_schema()::regnamespace
     and pg_get_userbyid(defined.proowner) = 'latchkey_reader'
   where defined.oid is null
   order by claims.name`,
);

/** Names of those without a function, or with one of another owner, whose rights its query has then. */
export async function listUnreadableClaims(database: Database): Promise<string[]> {
  return (await rows<{ name: string }>(database, listUnreadableStatement)).map(({ name }) => name);
}
