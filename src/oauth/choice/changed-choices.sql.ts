import { eventOf, eventValues, type Trace } from '../../audit/audit.sql.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { versionOf } from '../consent/grant-changes.sql.ts';
import { unendedPerson } from '../consent/grants.sql.ts';
import { isActiveGrant } from '../rules.sql.ts';
import type { Choices } from './choices.ts';

/**
 * Replaces what a person has chosen, in every grant of the client. Tokens follow at once. It counts only for the state in which the person
 * saw the grant.
 */
const changeChoicesStatement = sql(
  'change_choices',
  `with ${unendedPerson('$1', '$8')}, shown as (
     select grants.grant_id
     from person
     join grants on grants.user_id = person.user_id
     where grants.client_id = $2
       and ${isActiveGrant()}
       and ${versionOf('grants')} = $4
     for no key update of grants
   ), changed as (
     update grants
     set changed_at = now(),
       choices = coalesce(choices, '{}') || $3::jsonb
     from shown
     where grants.user_id = $1
       and grants.client_id = $2
       and ${isActiveGrant()}
     returning grants.user_id, grants.client_id
   ), changes as (
     select distinct user_id, client_id, $9::text as detail
     from changed
   ), ${eventOf('consent_changed', 'changes', 5, { client_id: 'client_id', detail: 'detail' })}
   select user_id
   from changes`,
);

/** What a person chooses on the page of an application. */
export interface ChangeOfChoices {
  user_id: number;
  client_id: string;
  choices: Choices;
  /** the version of the grant on that page, see versionOf */
  version: string;
  /** the version of the session in which the person has chosen */
  sessions_version: string;
}

/** False if the grant has changed since the page was shown, or the session has ended. */
export async function changeChoices(
  database: Database,
  { user_id, client_id, choices, version, sessions_version }: ChangeOfChoices,
  trace: Trace,
): Promise<boolean> {
  const detail = Object.keys(choices).join(' ');
  const values = [
    user_id,
    client_id,
    JSON.stringify(choices),
    version,
    ...eventValues(trace),
    sessions_version,
    detail,
  ];
  return (await row(database, changeChoicesStatement, values)) !== undefined;
}
