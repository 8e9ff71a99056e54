import { type ToldTrace, toldEvent, traceValues } from '../../audit/audit.sql.ts';
import { isEnabled } from '../../identity/active.sql.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { type Consent, unendedPerson } from './grants.sql.ts';

// The first grant of an application of the operator that asks nobody. From then on it is a grant like any other.

export type SilentGrant = Pick<
  Consent,
  'user_id' | 'client_id' | 'granted' | 'redirect_uris' | 'gives_username' | 'decided' | 'sessions_version'
> & { detail: string };

const registerSilentGrantStatement = sql(
  'register_silent_grant',
  `with ${unendedPerson('$1', '$12')}, granted as (
     insert into grants (user_id, client_id, scopes, redirect_uris, gives_username, decided, duration, silent, client_name)
     select user_id, client_id, $3, redirect_uris, $5, $6, 'always', true, name
     from person
     cross join clients
     where client_id = $2
       and consent = 'none'
       and vouched
       and redirect_uris = $4
       and ${isEnabled('clients')}
       and not exists (
         select
         from own_decisions
         where own_decisions.user_id = $1
           and own_decisions.client_id = $2)
       and not exists (
         select
         from grants
         where grants.user_id = $1
           and grants.client_id = $2)
     on conflict do nothing
     returning grant_id, user_id, client_id
   ), ${toldEvent('consent_given', 'granted', 8, { client_id: 'client_id', detail: '$7' })}
   select grant_id
   from granted`,
);

/** Grants a client that asks nobody its scopes when a person first uses it; undefined if there ever was a grant or a refusal, or if somebody has ended the person's sessions. */
export async function registerSilentGrant(
  database: Database,
  grant: SilentGrant,
  trace: ToldTrace,
): Promise<string | undefined> {
  const { user_id, client_id, granted, redirect_uris, gives_username, decided, detail, sessions_version } = grant;
  const values = [user_id, client_id, granted, redirect_uris, gives_username, decided, detail];
  const all = [...values, ...traceValues(trace), sessions_version];
  return (await row<{ grant_id: string }>(database, registerSilentGrantStatement, all))?.grant_id;
}
