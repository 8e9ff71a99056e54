import { type ToldTrace, toldEvent, traceValues } from '../../audit/audit.sql.ts';
import { isEnabled } from '../../identity/active.sql.ts';
import { rowsDeleted } from '../../identity/end-of-access.sql.ts';
import { replacedCodes } from '../../identity/second-factors.sql.ts';
import { sessionsVersion } from '../../identity/sessions.sql.ts';
import { lockedWays } from '../../identity/ways-in.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../../postgres/database.ts';

/** The most passkeys of one person: the account page shows them all. */
export const maxPasskeys = 20;

/** Whether a person can have passkeys: people who come from elsewhere sign in there. */
const canUsePasskeys = `${isEnabled('users')}
       and users.source = 'here'`;

const giveHandleStatement = sql(
  'give_passkey_handle',
  `update users
   set passkey_handle = coalesce(passkey_handle, $2)
   where user_id = $1
     and ${canUsePasskeys}
   returning passkey_handle`,
);

/**
 * Gives the person the handle by which authenticators know them: the same for each passkey, since they keep one passkey for each handle.
 * Undefined if the person can have none here.
 */
export async function givePasskeyHandle(
  database: Database,
  user_id: number,
  random: Buffer,
): Promise<Buffer | undefined> {
  const given = await row<{ passkey_handle: Buffer }>(database, giveHandleStatement, [user_id, random]);
  return given?.passkey_handle;
}

const findHandleStatement = sql(
  'find_passkey_handle',
  `select passkey_handle
   from users
   where user_id = $1
     and passkey_handle is not null`,
);

/** Finds the handle of a person who has, or had, a passkey. */
export async function findPasskeyHandle(database: Database, user_id: number): Promise<Buffer | undefined> {
  return (await row<{ passkey_handle: Buffer }>(database, findHandleStatement, [user_id]))?.passkey_handle;
}

/** What the owner of a passkey sees of it, at /account/security and in the file with all of their data. */
export interface ShownPasskey {
  user_verified: boolean;
  rp_id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  last_used_address: string | null;
  last_used_agent: string | null;
}

export interface PasskeyOfUser extends ShownPasskey {
  credential_id: Buffer;
  transports: string[];
  backup_eligible: boolean;
}

export const shownPasskey = ({ credential_id, transports, backup_eligible, ...shown }: PasskeyOfUser): ShownPasskey =>
  shown;

const listStatement = sql(
  'list_passkeys_of_user',
  `select credential_id, transports, user_verified, backup_eligible, rp_id, name, created_at, last_used_at, last_used_address, last_used_agent
   from passkeys
   where user_id = $1
   order by created_at
   limit ${maxPasskeys}`,
);

export function listPasskeysOfUser(database: Database, user_id: number): Promise<PasskeyOfUser[]> {
  return rows<PasskeyOfUser>(database, listStatement, [user_id]);
}

/** A challenge that was answered, which counts once. */
export interface AnsweredChallenge {
  proof_sha256: Buffer;
  /** seconds since 1970; by the clock of the database, which would forget an older one at once */
  expires_at: number;
}

export interface NewPasskey {
  credential_id: Buffer;
  user_id: number;
  public_key: object;
  sign_count: number;
  transports: readonly string[];
  user_verified: boolean;
  backup_eligible: boolean;
  rp_id: string;
  name: string;
}

/** Adds a passkey whose id belongs to nobody else; of two who send it at once, the first keeps it. */
const addStatement = sql(
  'add_passkey',
  `with person as (
     select user_id, second_factor_since is null and cardinality($12::bytea[]) > 0 as has_first
     from users
     where user_id = $1
       and ${canUsePasskeys}
       and ${sessionsVersion} = $21
     for no key update
   ), used as (
     insert into used_proofs (proof_sha256, expires_at)
     select $2, to_timestamp($3)
     from person
     where now() < to_timestamp($3)
       and count_passkeys(user_id) < ${maxPasskeys}
     on conflict do nothing
     returning proof_sha256
   ), added as (
     insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
     select $4, $1, $5, $6, $7, $8, $9, $10, $11
     from used
     on conflict (credential_id) do nothing
     returning user_id, name
   ), ${toldEvent('passkey_added', 'added', 13, { detail: 'name' })}, noted as (
     update users
     set second_factor_since = case when has_first then now() else second_factor_since end,
       factors_changed_at = clock_timestamp(),
       sessions_ended_at = case when has_first then clock_timestamp() else sessions_ended_at end
     from person
     join added on added.user_id = person.user_id
     where users.user_id = person.user_id
     returning users.user_id, has_first, ${sessionsVersion} as sessions_version
   ), changed as (
     select user_id
     from noted
     where has_first
   ), ${replacedCodes('$12')}, ${rowsDeleted('changed', 'sessions')}, ${toldEvent('second_factor_added', 'changed', 17)}
   select has_first, sessions_version
   from noted`,
);

export interface AddedPasskey {
  /** whether the person has no other second factor */
  has_first: boolean;
  /** the version after the change, see NewSession */
  sessions_version: string;
}

/**
 * A passkey with the digests of recovery codes is a second factor: if the person had none, from now on a sign-in needs a second
 * factor, and all sessions end, since they began without it. Undefined if the challenge was used or is over, somebody has a passkey
 * with this id, there is no more room, or somebody has ended the sessions of the person meanwhile.
 */
export async function addPasskey(
  database: Database,
  { codes, sessions_version, ...passkey }: NewPasskey & { codes: readonly Buffer[]; sessions_version: string },
  { proof_sha256, expires_at }: AnsweredChallenge,
  told: { passkey: ToldTrace; factor: ToldTrace },
): Promise<AddedPasskey | undefined> {
  const { credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible } = passkey;
  const facts = [JSON.stringify(public_key), sign_count, transports, user_verified, backup_eligible];
  const values = [user_id, proof_sha256, expires_at, credential_id, ...facts, passkey.rp_id, passkey.name, codes];
  const traces = [...traceValues(told.passkey), ...traceValues(told.factor)];
  return row<AddedPasskey>(database, addStatement, [...values, ...traces, sessions_version]);
}

export interface StoredPasskey {
  user_id: number;
  passkey_handle: Buffer;
  public_key: object;
  user_verified: boolean;
  backup_eligible: boolean;
  /** whether the person is not disabled, and signs in here */
  is_open: boolean;
}

const findStatement = sql(
  'find_passkey',
  `select passkeys.user_id, users.passkey_handle, passkeys.public_key, passkeys.user_verified, passkeys.backup_eligible, (${canUsePasskeys}) as is_open
   from passkeys
   join users on users.user_id = passkeys.user_id
   where passkeys.credential_id = $1`,
);

export function findPasskey(database: Database, credential_id: Buffer): Promise<StoredPasskey | undefined> {
  return row<StoredPasskey>(database, findStatement, [credential_id]);
}

/** What a signature says about its passkey, and where it was made. */
export interface PasskeyUse {
  credential_id: Buffer;
  sign_count: number;
  address: string;
  user_agent: string | null;
}

/**
 * Uses a passkey. One that is on several devices does not count its signatures. If it counts, two signatures with one number were made
 * by two devices, and one of them is a copy [WebAuthn §6.1.1].
 */
const useStatement = sql(
  'use_passkey',
  `with used as (
     insert into used_proofs (proof_sha256, expires_at)
     select $2, to_timestamp($3)
     from passkeys
     join users on users.user_id = passkeys.user_id
     where passkeys.credential_id = $1
       and ${canUsePasskeys}
       and now() < to_timestamp($3)
     on conflict do nothing
     returning proof_sha256
   ), signed as (
     update passkeys
     set sign_count = $4,
       last_used_at = now(),
       last_used_address = $5,
       last_used_agent = $6
     from used
     where passkeys.credential_id = $1
       and ($4 > passkeys.sign_count or $4 + passkeys.sign_count = 0)
     returning passkeys.user_id
   )
   select (select user_id from signed) as user_id, exists (select from used) as is_used`,
);

/** Uses the challenge up and counts the signature; or returns why not, to continue a sentence about it. */
export async function recordPasskey(
  database: Database,
  { credential_id, sign_count, address, user_agent }: PasskeyUse,
  { proof_sha256, expires_at }: AnsweredChallenge,
): Promise<string | undefined> {
  const values = [credential_id, proof_sha256, expires_at, sign_count, address, user_agent];
  const use = await row<{ user_id: number | null; is_used: boolean }>(database, useStatement, values);
  if (use?.is_used !== true) return 'its challenge was answered before, or is too old';
  return use.user_id === null ? 'its counter went backwards: somebody may have copied it' : undefined;
}

const renameStatement = sql(
  'rename_passkey',
  `update passkeys
   set name = $3
   where user_id = $1
     and credential_id = $2
   returning user_id`,
);

export function renamePasskey(
  database: Database,
  { user_id, credential_id, name }: Pick<NewPasskey, 'user_id' | 'credential_id' | 'name'>,
): Promise<boolean> {
  return hasRow(database, renameStatement, [user_id, credential_id, name]);
}

/**
 * Removes a passkey unless it is the last way in. Other ways in are a password, an identity at a provider that is not disabled, or
 * another passkey that works here and signs in alone. The last second factor stays as well while a sign-in needs one.
 */
const removeStatement = sql(
  'remove_passkey',
  `with ${lockedWays('$1', '$8')}, removed as (
     delete from passkeys
     using person
     where passkeys.user_id = person.user_id
       and passkeys.credential_id = $2
       and (
         not passkeys.user_verified
         or passkeys.rp_id <> $3
         or person.source <> 'here'
         or person.has_password
         or exists (
           select
           from linked
           join providers on linked.issuer = any (providers.issuers)
           where ${isEnabled('providers')})
         or exists (
           select
           from keys
           where keys.credential_id <> $2
             and keys.user_verified
             and keys.rp_id = $3))
       and (
         not person.has_second_factor
         or exists (select from apps)
         or exists (
           select
           from keys
           where keys.credential_id <> $2
             and keys.rp_id = $3))
     returning passkeys.user_id, passkeys.name
   ), noted as (
     update users
     set factors_changed_at = clock_timestamp()
     from removed
     where users.user_id = removed.user_id
   ), ${toldEvent('passkey_removed', 'removed', 4, { detail: 'name' })}
   select user_id from removed`,
);

/**
 * Removes a passkey; false if it is not this person's, is the last way in, or if somebody has ended the sessions of the person in the
 * meantime.
 */
export function removePasskey(
  database: Database,
  {
    user_id,
    credential_id,
    rp_id,
    sessions_version,
  }: Pick<NewPasskey, 'user_id' | 'credential_id' | 'rp_id'> & { sessions_version: string },
  trace: ToldTrace,
): Promise<boolean> {
  return hasRow(database, removeStatement, [user_id, credential_id, rp_id, ...traceValues(trace), sessions_version]);
}
