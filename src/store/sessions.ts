import { type Database, row, rows, sql } from './database.ts';

/** Ended after half an hour without use, and after half a day in any case. */
const alive = `sessions.last_used_at > now() - interval '30 minutes' and sessions.created_at > now() - interval '12 hours'`;

export interface StoredSession {
  data: object;
  /** worth a write only now and then */
  is_stale: boolean;
}

const findSessionStatement = sql(
  'find_session',
  `select sessions.data, sessions.last_used_at < now() - interval '5 minutes' as is_stale
   from sessions
   join users on users.user_id = sessions.user_id
   where sessions.sid_sha256 = $1
     and users.disabled_at is null
     and ${alive}`,
);

export function findSession(database: Database, sid_sha256: Buffer): Promise<StoredSession | undefined> {
  return row<StoredSession>(database, findSessionStatement, [sid_sha256]);
}

const registerSessionStatement = sql(
  'register_session',
  `insert into sessions (sid_sha256, user_id, data, user_agent)
   values ($1, $2, $3, $4)
   on conflict (sid_sha256) do update
   set data = excluded.data`,
);

export interface NewSession {
  sid_sha256: Buffer;
  user_id: number;
  data: object;
  user_agent: string | null;
}

export async function registerSession(database: Database, session: NewSession): Promise<void> {
  const { sid_sha256, user_id, data, user_agent } = session;
  await rows(database, registerSessionStatement, [sid_sha256, user_id, JSON.stringify(data), user_agent]);
}

const touchSessionStatement = sql('touch_session', 'update sessions set last_used_at = now() where sid_sha256 = $1');

export async function touchSession(database: Database, sid_sha256: Buffer): Promise<void> {
  await rows(database, touchSessionStatement, [sid_sha256]);
}

const deleteSessionStatement = sql('delete_session', 'delete from sessions where sid_sha256 = $1');

export async function deleteSession(database: Database, sid_sha256: Buffer): Promise<void> {
  await rows(database, deleteSessionStatement, [sid_sha256]);
}

const deleteSessionsOfUserStatement = sql('delete_sessions_of_user', 'delete from sessions where user_id = $1');

export async function deleteSessionsOfUser(database: Database, user_id: number): Promise<void> {
  await rows(database, deleteSessionsOfUserStatement, [user_id]);
}
