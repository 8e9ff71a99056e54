import { type Database, row, rows, sql } from '../postgres/database.ts';
import { findPage, type Page } from '../postgres/pagination.sql.ts';
import type { AuditEvent, AuditEventName } from './audit.sql.ts';
import { eventKey, eventKeyValues, timeOfKey } from './event-key.sql.ts';

export interface AuditRow extends AuditEvent {
  happened_at: Date;
  client_name: string | null;
  request_id: string;
  address: string | null;
}

/** Whether somebody else did it: an administrator, or an operator by the command line. */
const byOperator = 'coalesce(audit_events.by_user_id <> audit_events.user_id, audit_events.by_system_user is not null)';

/** People are not shown the address of an operator. */
const ownColumns = `${['happened_at', 'event', 'user_id', 'client_id', 'code_id', 'request_id', 'detail']
  .map((column) => `audit_events.${column}`)
  .join(', ')}, case when not ${byOperator} then audit_events.address end as address, ${byOperator} as by_operator,
     clients.name as client_name`;

/** The events on a person's page. The partial index audit_events_for_person holds exactly these: another event needs a new index. */
const eventsForPerson = [
  'signed_in',
  'sign_in_refused',
  'signed_out',
  'session_ended',
  'current_password_wrong',
  'password_changed',
  'password_reset',
  'reset_link_issued',
  'address_confirmed',
  'account_secured',
  'profile_changed',
  'identity_linked',
  'identity_unlinked',
  'second_factor_added',
  'second_factor_removed',
  'recovery_codes_renewed',
  'passkey_added',
  'passkey_removed',
  'passkey_refused',
  'consent_given',
  'consent_refused',
  'consent_changed',
  'consent_revoked',
  'refresh_token_reused',
  'code_reused',
  'token_leaked',
] as const satisfies AuditEventName[];

export type EventForPerson = (typeof eventsForPerson)[number];

const keyColumns = ['audit_events.happened_at', 'audit_events.tableoid::bigint', 'audit_events.ctid'] as const;
const ownEvents = `select ${ownColumns}, clients.vouched as client_vouched, ${eventKey(...keyColumns)} as key,
     audit_events.happened_at > now() - interval '7 days' as is_of_this_week
   from audit_events
   left join clients on clients.client_id = audit_events.client_id
   where audit_events.user_id = $1
     and audit_events.event in (${eventsForPerson.map((event) => `'${event}'`).join(', ')})`;

const findEventsOfUserStatement = sql(
  'find_audit_events_of_user',
  `${ownEvents}
     and (${keyColumns.join(', ')}) < (coalesce(${timeOfKey('$2')}, 'infinity'), $3::bigint, $4::tid)
   order by ${keyColumns.map((column) => `${column} desc`).join(', ')}
   limit $5`,
);

const findEventOfUserStatement = sql(
  'find_audit_event_of_user',
  `${ownEvents}
     and (${keyColumns.join(', ')}) = (${timeOfKey('$2')}, $3::bigint, $4::tid)`,
);

export type EventRow = AuditRow & {
  event: EventForPerson;
  client_vouched: boolean | null;
  key: string;
  is_of_this_week: boolean;
  by_operator: boolean;
};

/** Newest first. */
export function findEventsOfUser(
  database: Database,
  user_id: number,
  after: string | undefined,
  limit: number,
): Promise<Page<EventRow>> {
  const values = [user_id, ...eventKeyValues(after)];
  return findPage<EventRow>(database, findEventsOfUserStatement, values, limit, ({ key }) => key);
}

export function findEventOfUser(database: Database, user_id: number, key: string): Promise<EventRow | undefined> {
  return row<EventRow>(database, findEventOfUserStatement, [user_id, ...eventKeyValues(key)]);
}

export interface FamilyEvent {
  happened_at: Date;
  event: AuditEventName;
  by_operator: boolean;
}

const familyEventColumns = 'happened_at, event, by_user_id is not null or by_system_user is not null as by_operator';

/**
 * Lists the latest events of the family, and the first events after its revocation and after that of the token, one of which is the
 * cause.
 */
const listFamilyEventsStatement = sql(
  'list_family_events',
  `select events.happened_at, events.event, events.by_operator
   from authorization_codes code
   cross join lateral (
     (select ${familyEventColumns}
     from audit_trail
     where audit_trail.code_id = code.code_id
     order by happened_at desc
     limit 20)
     union
     (select ${familyEventColumns}
     from audit_trail
     where audit_trail.code_id = code.code_id
       and audit_trail.happened_at >= code.revoked_at
     order by happened_at
     limit 20)
     union
     (select ${familyEventColumns}
     from audit_trail
     where audit_trail.code_id = code.code_id
       and audit_trail.happened_at >= $2
     order by happened_at
     limit 20)) events
   where code.code_id = $1
   order by events.happened_at desc`,
);

/** Newest first. */
export function listFamilyEvents(
  database: Database,
  { code_id, revoked_at }: { code_id: string; revoked_at: Date | null },
): Promise<FamilyEvent[]> {
  return rows<FamilyEvent>(database, listFamilyEventsStatement, [code_id, revoked_at]);
}

const grantRevokedByOperatorStatement = sql(
  'find_who_revoked_grant',
  `select by_user_id is not null or by_system_user is not null as by_operator
   from audit_events
   where user_id = $1
     and client_id = $2
     and event = 'consent_revoked'
     and happened_at at time zone 'UTC' >= $3::timestamptz at time zone 'UTC'
     and happened_at at time zone 'UTC' <= ($3::timestamptz + interval '1 minute') at time zone 'UTC'
   order by happened_at at time zone 'UTC'
   limit 1`,
);

/** Whether an operator has revoked what the person allowed, and not the person. The previous release writes the event after the revocation. */
export async function isRevokedByOperator(
  database: Database,
  grant: { user_id: number; client_id: string; grant_revoked_at: Date },
): Promise<boolean> {
  const values = [grant.user_id, grant.client_id, grant.grant_revoked_at];
  return (await row<{ by_operator: boolean }>(database, grantRevokedByOperatorStatement, values))?.by_operator ?? false;
}
