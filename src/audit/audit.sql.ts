import { type Database, rows, sql } from '../postgres/database.ts';

/** The request that caused an event, by which it is found in the log, and where the request came from. */
export interface Trace {
  request_id: string;
  address: string | null;
}

/** A trace that also names the administrator who did something at a page; for the command line, the connection says who did it. */
export interface OperatorsTrace extends Trace {
  by?: { user_id: number; sid_sha256: Buffer } | undefined;
}

/** An administrator, by the digest of their session id: the statement does nothing once the session or the rights have ended. */
const byAdministrator = (sid_sha256: string) => `acting_administrator(${sid_sha256}::bytea)`;

/** What the statement of a change writes as well: the event, and the sealed mail that tells the person; null if none goes out. */
export interface ToldTrace extends OperatorsTrace {
  notice: Buffer | null;
}

/** Values of a statement, in the order of `eventOf`. */
export const eventValues = ({ request_id, address, by }: OperatorsTrace) => [
  ...[request_id, address, by?.sid_sha256 ?? null],
];

/** Values of a statement, in the order of `toldEvent`. */
export const traceValues = (trace: ToldTrace) => [...eventValues(trace), trace.notice];

/**
 * The event of a change, as a part of the statement that makes the change: there is neither without the other. `changed` has the rows;
 * the first of the `eventValues` is $first.
 */
export const eventOf = (
  event: AuditEventName,
  changed: string,
  first: number,
  { user_id = 'user_id', client_id = 'null', code_id = 'null', detail = 'null' } = {},
) => `${event} as (
     insert into audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
     select '${event}', ${user_id}, ${client_id}, ${code_id}, ${detail}, $${first}, $${first + 1}, ${byAdministrator(`$${first + 2}`)}
     from ${changed}
   )`;

/** The event of a change and the mail that tells of it, as eventOf; the first of the `traceValues` is $first. */
export const toldEvent = (
  event: AuditEventName,
  changed: string,
  first: number,
  columns: Parameters<typeof eventOf>[3] = {},
) =>
  `${eventOf(event, changed, first, columns)}, ${event}_notice as (
     insert into mails (kind, user_id, sealed)
     select 'notice', user_id, $${first + 3}::bytea
     from ${changed}
     where $${first + 3}::bytea is not null
   )`;

/** What the statement of a change writes as well where nobody is told by mail: its event. */
export type RecordedEvent = AuditEvent & OperatorsTrace;

/** Values of a statement, in the order of `recordedEvent`. */
export const recordedValues = (recorded: RecordedEvent) => [
  ...[recorded.event, recorded.user_id ?? null, recorded.client_id ?? null, recorded.detail ?? null],
  ...[recorded.request_id, recorded.address, recorded.by?.sid_sha256 ?? null],
];

/**
 * The event of a change, as a part of the statement that makes the change: one if `changed` has a row. The first of the `recordedValues`
 * is $first; what only the statement knows, it states in SQL.
 */
export const recordedEvent = (
  changed: string,
  first: number,
  { user_id = 'null', detail = 'null' } = {},
) => `recorded_event as (
     insert into audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
     select $${first}::text, coalesce($${first + 1}::integer, ${user_id}), $${first + 2}::text, coalesce($${first + 3}::text, ${detail}), $${first + 4}, $${first + 5}, ${byAdministrator(`$${first + 6}`)}
     from ${changed}
     limit 1
   )`;

/**
 * All events. The statements of the changes write the events of which the person is told by mail, and `tokens_issued`,
 * `tokens_refreshed`, `identity_unlinked`, `account_secured`, `address_confirmed`, `signing_key_added`, `consent_waived`,
 * `seed_applied` and `everything_revoked`.
 */
export const auditEvents = [
  'signed_in',
  'sign_in_refused',
  'sign_in_delayed',
  'signed_out',
  'session_ended',
  'current_password_wrong',
  'password_changed',
  'password_reset',
  'reset_link_sent',
  'reset_link_issued',
  'address_confirmed',
  'account_secured',
  'mail_given_up',
  'profile_changed',
  'consent_given',
  'consent_refused',
  'consent_changed',
  'consent_revoked',
  'tokens_issued',
  'tokens_refreshed',
  'code_verifier_wrong',
  'code_reused',
  'refresh_token_reused',
  'token_revoked',
  'token_leaked',
  'client_registered',
  'client_changed',
  'client_disabled',
  'client_enabled',
  'client_deleted',
  'client_tokens_revoked',
  'client_passed_on',
  'site_banned',
  'site_unbanned',
  'scope_registered',
  'scope_changed',
  'scope_deleted',
  'resource_registered',
  'resource_changed',
  'resource_deleted',
  'resource_disabled',
  'claim_disabled',
  'choice_disabled',
  'consent_waived',
  'invitation_created',
  'invitation_withdrawn',
  'client_secret_added',
  'client_secret_deleted',
  'user_registered',
  'user_invited',
  'users_imported',
  'user_disabled',
  'user_enabled',
  'user_deleted',
  'identity_linked',
  'identity_unlinked',
  'second_factor_added',
  'second_factor_removed',
  'recovery_codes_renewed',
  'passkey_added',
  'passkey_removed',
  'passkey_refused',
  'provider_disabled',
  'provider_enabled',
  'seed_applied',
  'signing_key_added',
  'session_secret_shown',
  'everything_revoked',
  'user_changed',
  'user_unlocked',
  'sessions_ended',
  'audit_exported',
  'administration_refused',
] as const;

export type AuditEventName = (typeof auditEvents)[number];

/** The most frequent events by far, kept for a shorter time, and found by nothing but the time. */
export const routineEvents: readonly AuditEventName[] = ['tokens_issued', 'tokens_refreshed'];

export interface AuditEvent {
  event: AuditEventName;
  user_id?: number | undefined;
  client_id?: string | undefined;
  code_id?: string | undefined;
  /**
   * whether a sign-in is in a browser in which this person has not signed in before, or a consent the first that lasts. Only in the
   * log
   */
  is_new?: boolean | undefined;
  /** browser and system, for the mail that tells of the event */
  device?: string | undefined;
  /** never a secret: the table leaves secrets out, see migrations/047_logs_take_every_value.sql */
  detail?: string | undefined;
}

const registerEventStatement = sql(
  'register_audit_event',
  `insert into audit_events (event, user_id, client_id, code_id, detail, request_id, address, by_user_id)
   values ($1, $2, $3, $4, $5, $6, $7, ${byAdministrator('$8')})`,
);

export async function registerAuditEvent(database: Database, event: AuditEvent, trace: OperatorsTrace): Promise<void> {
  const { user_id, client_id, code_id, detail } = event;
  const values = [event.event, user_id ?? null, client_id ?? null, code_id ?? null, detail ?? null];
  await rows(database, registerEventStatement, [
    ...values,
    trace.request_id,
    trace.address,
    trace.by?.sid_sha256 ?? null,
  ]);
}

const keepPartitionsStatement = sql('keep_audit_partitions', 'select keep_audit_partitions($1, $2) as dropped');

/**
 * Creates the partitions of the coming months and drops those older than the retention; returns the names of the dropped ones.
 * It drops nothing while the clock of the database differs from `clock`, that of this process, by more than an hour.
 */
export async function keepAuditPartitions(database: Database, retention_days: number, clock: Date): Promise<string[]> {
  const [kept] = await rows<{ dropped: string[] }>(database, keepPartitionsStatement, [retention_days, clock]);
  return kept?.dropped ?? [];
}
