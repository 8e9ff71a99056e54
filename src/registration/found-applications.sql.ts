import {
  clientColumns,
  type DeveloperApplication,
  type FoundApplication,
  ownerOfClient,
} from '../clients/clients.sql.ts';
import { wordsOfName } from '../identity/people-search.sql.ts';
import { isActiveGrant } from '../oauth/rules.sql.ts';
import { type Database, row, rows, sql } from '../postgres/database.ts';

// Applications as administrators look for them. Each way to find applications is a range of an index, read up to a limit.

const shownColumns = `${clientColumns}, secrets_since, disabled_by_owner, last_used_at`;

/**
 * Whether a value begins with the typed text, taken literally: the value lies between the text, and the text followed by the last of all
 * characters.
 */
const beginsWith = (indexed: string, typed: string) =>
  `${indexed} collate "C" >= ${typed} and ${indexed} collate "C" < ${typed} || chr(1114111)`;

const found = (condition: string, order: string) => `(select client_id
     from clients
     where ${condition}
       and deleted_at is null
     order by ${order}
     limit $3)`;

const foundByBeginning = (indexed: string) => found(beginsWith(indexed, 'lower($1::text)'), `${indexed} collate "C"`);

const findStatement = sql(
  'find_applications',
  `select ${shownColumns}, ${ownerOfClient}
   from (
     ${foundByBeginning('lower(client_id)')}
     union
     ${[...wordsOfName('name'), 'lower(site_domain)'].map(foundByBeginning).join('\n     union\n     ')}
     union
     ${found(beginsWith('reverse(site_domain)', 'reverse(lower($1::text))'), 'reverse(site_domain) collate "C"')}
     union
     ${found('owner_id = $2', 'created_at')}
     limit $3) found
   join clients using (client_id)
   order by client_id`,
);

/**
 * Finds applications whose id, site, or name or a word of it begins with a text, whose site ends with the text, or that belong to this
 * person.
 */
export function findApplications(
  database: Database,
  typed: string,
  owner_id: number | undefined,
  limit: number,
): Promise<FoundApplication[]> {
  return rows<FoundApplication>(database, findStatement, [typed, owner_id ?? null, limit]);
}

/** The most grants that are read to count people: above that, the page says “at least”. */
export const peopleCounted = 10_000;

export interface AdministeredApplication extends DeveloperApplication {
  last_used_at: Date | null;
  /** all tokens that are older than this were revoked */
  tokens_not_before: Date | null;
  owner: string | null;
  people: number;
  /** whether there are more grants than were read */
  has_more_people: boolean;
}

const findOneStatement = sql(
  'find_administered_application',
  `select ${shownColumns}, tokens_not_before, users.username as owner, counted.people, counted.looked > ${peopleCounted} as has_more_people
   from clients
   left join users on users.user_id = coalesce(clients.owner_id, clients.only_for)
   cross join lateral (
     select count(*) as looked, count(distinct user_id) filter (where ${isActiveGrant('looked')})::integer as people
     from (
       select user_id, revoked_at, expires_at
       from grants
       where grants.client_id = clients.client_id
       limit ${peopleCounted + 1}) looked) counted
   where clients.client_id = $1
     and clients.deleted_at is null`,
);

export function findAdministeredApplication(
  database: Database,
  client_id: string,
): Promise<AdministeredApplication | undefined> {
  return row<AdministeredApplication>(database, findOneStatement, [client_id]);
}
