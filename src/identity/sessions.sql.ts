import {
  type RecordedEvent,
  recordedEvent,
  recordedValues,
  type ToldTrace,
  toldEvent,
  traceValues,
} from '../audit/audit.sql.ts';
import { secondFactors } from '../lib/second-factors.ts';
import { batched } from '../postgres/batches.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';
import { knownDevice } from '../web/display.ts';
import { isEnabled, isOfThisTime } from './active.sql.ts';

/** Whether a session is active: it expires after half an hour without use, and after twelve hours in any case. */
const isActiveSession = `sessions.last_used_at > now() - interval '30 minutes' and sessions.created_at > now() - interval '12 hours'
     and ${isOfThisTime('sessions.created_at')}`;

/** Whether the session may go on: with a second factor, not if it began without one or before it was set up. */
const isWholeSession = `(users.second_factor_since is null or sessions.methods && '{${secondFactors.join(',')}}')`;

/**
 * A text that differs after each end of sessions from outside of their browsers, and after an import, a seed or the view brings another
 * password. What was proved, or asked for in a session, before that counts no more. (A hash that a sign-in renews changes nothing.)
 */
export const sessionsVersion = `concat(extract(epoch from users.sessions_ended_at), '/' || hashtext(users.registered_password_bcrypt))`;

const lastEnd = `coalesce(users.sessions_ended_at, '-infinity')`;

/** Whether nobody has ended the sessions of the person since this one began, also if both happened at the same moment. */
export const isOfLastEnd = `coalesce(sessions.begun_after = ${lastEnd}, true)`;

export interface StoredSession {
  data: object;
  /** see NewSession */
  sessions_version: string;
  /** when the person proved who they are, by the clock of the database */
  auth_time: Date;
  /** seconds since then */
  auth_age: number;
  /** the ways in which that was proved */
  methods: readonly string[];
  /** whether the person is an administrator at this moment */
  is_admin: boolean;
  /** days since a sign-in first found that the operator demands a factor of this person; null: none has */
  demanded_for: number | null;
  /** the language of pages that the person chose; null: as the browser says */
  chosen_language: string | null;
  /** last_used_at is older than five minutes and must be written again */
  is_stale: boolean;
}

const findOneSession = batched<{ sid_sha256: Buffer }, StoredSession>(
  'find_session',
  { sid_sha256: 'bytea' },
  (requests) => `
   select position, sessions.data, sessions.auth_time, date_part('epoch', now() - sessions.auth_time) as auth_age, sessions.methods, users.chosen_language, ${sessionsVersion} as sessions_version, sessions.last_used_at < now() - interval '5 minutes' as is_stale,
     users.is_admin, date_part('epoch', now() - users.second_factor_demanded_at) / 86400 as demanded_for
   from ${requests}
   join sessions on sessions.sid_sha256 = requests.sid_sha256
   join users on users.user_id = sessions.user_id
   where ${isEnabled('users')}
     and ${isOfLastEnd}
     and ${isWholeSession}
     and ${isActiveSession}`,
);

export function findSession(database: Database, sid_sha256: Buffer): Promise<StoredSession | undefined> {
  return findOneSession(database, { sid_sha256 });
}

/** Sessions of one user; a further one ends the least recently used. */
const maxSessions = 100;

const registerSessionStatement = sql(
  'register_session',
  `with ended as (
     delete from sessions
     where sid_sha256 in (
       select sid_sha256
       from sessions
       where user_id = $2
         and sid_sha256 <> $1
       order by last_used_at desc
       offset ${maxSessions - 1}
       limit ${maxSessions})
   ), spoken as (
     update users
     set language = $7,
         chosen_language = coalesce(chosen_language, $8::text),
         seen_on = current_date
     where user_id = $2
       and (language is distinct from $7 or chosen_language is null and $8::text is not null or seen_on <= current_date - 7)
   ), at_provider as (
     select provider_session_id
     from provider_sessions
     where provider_session_id = $15
       and ended_at is null
     for share
   ), started as (
     insert into sessions (sid_sha256, user_id, data, user_agent, methods, auth_time, begun_after)
     select $1, user_id, $3, $4, $5, coalesce($6, now()), ${lastEnd}
     from users
     where user_id = $2
       and ${sessionsVersion} = $14
       and ($15::bigint is null or exists (select from at_provider))
     returning user_id, auth_time
   ), signed_in_person as (
     select user_id
     from started
     where $9
   ), ${toldEvent('signed_in', 'signed_in_person', 10, { detail: "concat_ws(' · ', array_to_string($5::text[], ' '), $16::text)" })}
   select auth_time from started`,
);

export interface NewSession {
  sid_sha256: Buffer;
  user_id: number;
  data: object;
  user_agent: string | null;
  methods: readonly string[];
  /** now, unless the session continues one that ended */
  auth_time: Date | undefined;
  /** the sign-in at a provider from which the session comes */
  provider_session_id: string | undefined;
  language: string;
  /** by this browser; one that the account has stays */
  chosen_language: string | undefined;
  /** the version of the account's sessions when the person proved who they are */
  sessions_version: string;
  /** the trace of a sign-in, whose event has the methods; undefined for a session that continues another session */
  sign_in: ToldTrace | undefined;
}

const noTrace: ToldTrace = { request_id: '', address: null, notice: null };

/** When the person proved who they are, as it is stored; undefined if somebody, or the provider, has ended their sessions since. */
export async function registerSession(
  database: Database,
  { sign_in, sessions_version, provider_session_id, ...session }: NewSession,
): Promise<Date | undefined> {
  const { sid_sha256, user_id, data, user_agent, methods, auth_time, language, chosen_language } = session;
  const stored = [sid_sha256, user_id, JSON.stringify(data), user_agent, methods, auth_time, language, chosen_language];
  const values = [...stored, sign_in !== undefined, ...traceValues(sign_in ?? noTrace)];
  const conditions = [sessions_version, provider_session_id, knownDevice(user_agent ?? '') ?? null];
  return (await row<{ auth_time: Date }>(database, registerSessionStatement, [...values, ...conditions]))?.auth_time;
}

const touchSessionStatement = sql('touch_session', 'update sessions set last_used_at = now() where sid_sha256 = $1');

export async function touchSession(database: Database, sid_sha256: Buffer): Promise<void> {
  await rows(database, touchSessionStatement, [sid_sha256]);
}

const deleteSessionStatement = sql('delete_session', 'delete from sessions where sid_sha256 = $1');

export async function deleteSession(database: Database, sid_sha256: Buffer): Promise<void> {
  await rows(database, deleteSessionStatement, [sid_sha256]);
}

export interface SessionOfUser {
  sid_sha256: Buffer;
  user_agent: string | null;
  address: string | null;
  created_at: Date;
  last_used_at: Date;
}

/** The sessions of person $1, the latest first. */
export const sessionsOfUser = `from sessions
   join users using (user_id)
   where user_id = $1
     and ${isOfLastEnd}
     and ${isActiveSession}
   order by last_used_at desc
   limit ${maxSessions}`;

const listSessionsStatement = sql(
  'list_sessions_of_user',
  `select sid_sha256, user_agent, data ->> 'address' as address, sessions.created_at, last_used_at
   ${sessionsOfUser}`,
);

export function listSessionsOfUser(database: Database, user_id: number): Promise<SessionOfUser[]> {
  return rows<SessionOfUser>(database, listSessionsStatement, [user_id]);
}

/** Ends some sessions of $1; the others go on after that end. */
const endingSome = (condition: string) => `changed as (
     update users
     set sessions_ended_at = clock_timestamp()
     where user_id = $1
       and exists (
         select
         from sessions
         where user_id = $1
           and ${condition})
     returning user_id, sessions_ended_at
   ), ended as (
     delete from sessions
     using changed
     where sessions.user_id = changed.user_id
       and ${condition}
   ), kept as (
     update sessions
     set begun_after = changed.sessions_ended_at
     from changed
     where sessions.user_id = changed.user_id
       and not (${condition})
   )`;

const beginsWith = "sid_sha256 between $2 and $2 || decode(repeat('ff', 32), 'hex')";

const deleteOwnSessionStatement = sql(
  'delete_own_session',
  `with ${endingSome(beginsWith)}
   select user_id from changed`,
);

/** Identified by the first bytes of its digest, among the sessions of this user. */
export function deleteOwnSession(database: Database, user_id: number, prefix: Buffer): Promise<boolean> {
  return hasRow(database, deleteOwnSessionStatement, [user_id, prefix]);
}

const endSessionStatement = sql(
  'end_session_of_user',
  `with ${endingSome(beginsWith)}, ${recordedEvent('changed', 3)}
   select user_id from changed`,
);

/** Ends one session of a person for an administrator; false if there is no such session. */
export function endSessionOfUser(
  database: Database,
  { user_id, prefix }: { user_id: number; prefix: Buffer },
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, endSessionStatement, [user_id, prefix, ...recordedValues(recorded)]);
}

const deleteOtherSessionsStatement = sql(
  'delete_other_sessions',
  `with ${endingSome('sid_sha256 <> $2')}
   select user_id from changed`,
);

export async function deleteOtherSessions(database: Database, user_id: number, sid_sha256: Buffer): Promise<void> {
  await rows(database, deleteOtherSessionsStatement, [user_id, sid_sha256]);
}
