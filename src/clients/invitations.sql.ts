import {
  eventOf,
  eventValues,
  type RecordedEvent,
  recordedEvent,
  recordedValues,
  type Trace,
} from '../audit/audit.sql.ts';
import { isUsableInvitation } from '../identity/active.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';

/** An initial access token, by which an operator lets clients register themselves [7591 §1.2]. */
export interface Invitation {
  invitation_id: number;
  uses_left: number;
  created_at: Date;
  expires_at: Date;
}

const columns = 'invitation_id, uses_left, created_at, expires_at';

/** How events name an invitation. */
const detailOfInvitation = `'invitation ' || invitation_id`;

const createStatement = sql(
  'create_invitation',
  `with created as (
     insert into invitations (token_sha256, uses_left, expires_at)
     values ($1, $2, now() + make_interval(days => $3))
     returning ${columns}
   ), ${recordedEvent('created', 4, { detail: detailOfInvitation })}
   select ${columns} from created`,
);

export async function createInvitation(
  database: Database,
  { token_sha256, uses, days }: { token_sha256: Buffer; uses: number; days: number },
  recorded: RecordedEvent,
): Promise<Invitation> {
  const values = [token_sha256, uses, days, ...recordedValues(recorded)];
  const [created] = await rows<Invitation>(database, createStatement, values);
  if (!created) throw new Error('the database returned no row for a new invitation');
  return created;
}

const listStatement = sql('list_invitations', `select ${columns} from invitations order by invitation_id`);

/** All invitations, also those that have expired or were used up, until the sweep deletes them. */
export function listInvitations(database: Database): Promise<Invitation[]> {
  return rows<Invitation>(database, listStatement);
}

const isUsableStatement = sql(
  'is_usable_invitation',
  `select
   from invitations
   where token_sha256 = $1
     and ${isUsableInvitation}`,
);

/** Whether a client can register itself with the invitation. Only the statement that registers it decides, since others may be faster. */
export function hasUsableInvitation(database: Database, token_sha256: Buffer): Promise<boolean> {
  return hasRow(database, isUsableStatement, [token_sha256]);
}

const withdrawStatement = sql(
  'withdraw_invitation',
  `with withdrawn as (
     delete from invitations
     where invitation_id = $1
     returning invitation_id
   ), ${recordedEvent('withdrawn', 2, { detail: detailOfInvitation })}
   select invitation_id from withdrawn`,
);

const withdrawLeakedStatement = sql(
  'withdraw_leaked_invitation',
  `with withdrawn as (
     delete from invitations
     where token_sha256 = $1
     returning invitation_id
   ), ${eventOf('token_leaked', 'withdrawn', 2, { user_id: 'null::integer', detail: "'invitation ' || invitation_id" })}
   select invitation_id
   from withdrawn`,
);

/** Withdraws a leaked invitation and returns its number; undefined if there is none with this token. */
export async function withdrawLeakedInvitation(
  database: Database,
  token_sha256: Buffer,
  trace: Trace,
): Promise<number | undefined> {
  const values = [token_sha256, ...eventValues(trace)];
  return (await row<Invitation>(database, withdrawLeakedStatement, values))?.invitation_id;
}

export function withdrawInvitation(
  database: Database,
  invitation_id: number,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, withdrawStatement, [invitation_id, ...recordedValues(recorded)]);
}
