/** Deletes the rows of these tables that belong to the person in `changed`. */
export const rowsDeleted = (changed: string, ...tables: string[]) =>
  tables
    .map(
      (table) => `deleted_${table} as (
     delete from ${table}
     using ${changed}
     where ${table}.user_id = ${changed}.user_id
   )`,
    )
    .join(', ');

/**
 * Ends, together with a change of an account, all sessions, and what the person allowed since a time or allowed a client, with the
 * events of that. `changed` has the row of the person, locked; `signedOut` has it if sessions end; the first of the `eventValues` is $first.
 */
export const endOfAccess = (
  changed: string,
  first: number,
  { condition = 'true', since = "'-infinity'", client_id = 'null', signedOut = changed },
) => `${rowsDeleted(signedOut, 'sessions')}, revoked as (
     select user_id, revoke_grants(user_id, ${since}, ${client_id}) as client_id
     from ${changed}
     where ${condition}
   ), audit_event as (
     insert into audit_events (event, user_id, client_id, request_id, address)
     select distinct 'consent_revoked', user_id, client_id, $${first}, $${first + 1}
     from revoked
   )`;
