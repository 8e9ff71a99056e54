import { type ToldTrace, toldEvent, traceValues } from '../audit/audit.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';
import { isEnabled } from './active.sql.ts';
import { rowsDeleted } from './end-of-access.sql.ts';
import { storedHash } from './passwords.sql.ts';
import { sessionsVersion } from './sessions.sql.ts';

/** What a sign-in needs to know about the factors of a person. */
export interface Factors {
  user_id: number;
  username: string;
  is_admin: boolean;
  password_hash: string | null;
  /** whether a sign-in needs a second factor */
  is_needed: boolean;
  /** the secret of the app; sealed */
  totp_secret: Buffer | null;
  recovery_codes: number;
  /** a text that differs after each change of a factor */
  version: string;
  /** see NewSession */
  sessions_version: string;
  /**
   * days since a sign-in first found that the operator demands a factor; null: no sign-in has; negative: found by a clock that was
   * ahead
   */
  demanded_for: number | null;
  /** by the clock of the database, in seconds since 1970 */
  now: number;
}

const versionOf = `coalesce(users.factors_changed_at::text, '')`;

const findStatement = sql(
  'find_factors',
  `select users.user_id, username, is_admin, ${storedHash} as password_hash,
     second_factor_since is not null as is_needed,
     totp_factors.secret as totp_secret,
     (select count(*)::integer from recovery_codes where recovery_codes.user_id = users.user_id) as recovery_codes,
     ${versionOf} as version,
     ${sessionsVersion} as sessions_version,
     date_part('epoch', now() - second_factor_demanded_at) / 86400 as demanded_for,
     date_part('epoch', now()) as now
   from users
   left join totp_factors on totp_factors.user_id = users.user_id
   where users.user_id = $1
     and ${isEnabled('users')}`,
);

export function findFactors(database: Database, user_id: number): Promise<Factors | undefined> {
  return row<Factors>(database, findStatement, [user_id]);
}

const demandStatement = sql(
  'demand_second_factor',
  `update users
   set second_factor_demanded_at = now()
   where user_id = $1
     and (second_factor_demanded_at is null or second_factor_demanded_at > now())
   returning user_id`,
);

/** Starts to count the days until a person must have a factor, once. */
export async function demandSecondFactor(database: Database, user_id: number): Promise<void> {
  await row(database, demandStatement, [user_id]);
}

const useCodeStatement = sql(
  'use_totp_code',
  `update totp_factors
   set last_step = $2,
       secret = $3
   where user_id = $1
     and last_step < $2
   returning user_id`,
);

/**
 * Uses up the code of a step; false if a code of this step or a later one was used. The secret is sealed anew, so that an old
 * SESSION_SECRET can go.
 */
export function useTotpCode(database: Database, user_id: number, step: number, sealed: Buffer): Promise<boolean> {
  return hasRow(database, useCodeStatement, [user_id, step, sealed]);
}

const useRecoveryCodeStatement = sql(
  'use_recovery_code',
  `delete from recovery_codes
   where user_id = $1
     and code_sha256 = $2
   returning user_id`,
);

export function useRecoveryCode(database: Database, user_id: number, code_sha256: Buffer): Promise<boolean> {
  return hasRow(database, useRecoveryCodeStatement, [user_id, code_sha256]);
}

/** Replaces the recovery codes of the `changed` rows; the parameter has the new digests. */
export const replacedCodes = (parameter: string) => `${rowsDeleted('changed', 'recovery_codes')}, codes as (
     insert into recovery_codes (user_id, code_sha256)
     select changed.user_id, code_sha256
     from changed
     cross join unnest(${parameter}::bytea[]) as code_sha256
   )`;

const enrolStatement = sql(
  'add_second_factor',
  `with changed as (
     update users
     set second_factor_since = coalesce(second_factor_since, now()),
         factors_changed_at = clock_timestamp(),
         sessions_ended_at = clock_timestamp()
     where user_id = $1
       and ${isEnabled('users')}
       and ${versionOf} = $3
       and ${sessionsVersion} = $10
     returning users.user_id, ${sessionsVersion} as sessions_version
   ), totp as (
     insert into totp_factors (user_id, secret, last_step)
     select user_id, $4, $5
     from changed
     on conflict (user_id) do update
     set secret = excluded.secret,
         last_step = excluded.last_step,
         created_at = now()
   ), ${replacedCodes('$2')}, ${rowsDeleted('changed', 'sessions')}, ${toldEvent('second_factor_added', 'changed', 6)}
   select sessions_version from changed`,
);

interface NewCodes {
  user_id: number;
  /** the digests of the recovery codes */
  codes: readonly Buffer[];
  /** the version that the factors must still have */
  version: string;
  /** see NewSession: nobody may have ended the sessions of the person meanwhile */
  sessions_version: string;
}

export interface NewFactor extends NewCodes {
  /** the secret, sealed */
  secret: Buffer;
  /** the step of the entered code, which counts as used */
  step: number;
}

/**
 * Adds the app and its recovery codes at once, so that nobody has one without the other. Ends all sessions, since they began
 * without a second factor, and returns the new sessions_version; undefined if anything was changed meanwhile.
 */
export async function addSecondFactor(
  database: Database,
  factor: NewFactor,
  trace: ToldTrace,
): Promise<string | undefined> {
  const { user_id, codes, version, secret, step, sessions_version } = factor;
  const values = [user_id, codes, version, secret, step, ...traceValues(trace), sessions_version];
  return (await row<{ sessions_version: string }>(database, enrolStatement, values))?.sessions_version;
}

const renewCodesStatement = sql(
  'renew_recovery_codes',
  `with changed as (
     update users
     set factors_changed_at = clock_timestamp()
     where user_id = $1
       and second_factor_since is not null
       and ${isEnabled('users')}
       and ${versionOf} = $3
       and ${sessionsVersion} = $8
     returning user_id
   ), ${replacedCodes('$2')}, ${toldEvent('recovery_codes_renewed', 'changed', 4)}
   select user_id from changed`,
);

/** Replaces the recovery codes; false for a person without a second factor, and if a factor or the codes were changed in the meantime. */
export function renewRecoveryCodes(
  database: Database,
  { user_id, codes, version, sessions_version }: NewCodes,
  trace: ToldTrace,
): Promise<boolean> {
  return hasRow(database, renewCodesStatement, [user_id, codes, version, ...traceValues(trace), sessions_version]);
}

const removeStatement = sql(
  'remove_second_factor',
  `with changed as (
     update users
     set second_factor_since = null,
         second_factor_demanded_at = null,
         factors_changed_at = clock_timestamp(),
         sessions_ended_at = clock_timestamp()
     where user_id = $1
       and second_factor_since is not null
       and ${sessionsVersion} = coalesce($6, ${sessionsVersion})
     returning users.user_id, ${sessionsVersion} as sessions_version
   ), ${rowsDeleted('changed', 'totp_factors', 'recovery_codes', 'sessions')}, ${toldEvent('second_factor_removed', 'changed', 2)}
   select sessions_version from changed`,
);

/**
 * Removes the second factor, ends all sessions of the person and returns the new sessions_version. Undefined if there is no second
 * factor; in a session, also if somebody has ended the sessions of the person since.
 */
export async function removeSecondFactor(
  database: Database,
  { user_id, sessions_version }: { user_id: number; sessions_version?: string | undefined },
  trace: ToldTrace,
): Promise<string | undefined> {
  const values = [user_id, ...traceValues(trace), sessions_version];
  return (await row<{ sessions_version: string }>(database, removeStatement, values))?.sessions_version;
}

/** How many secrets are looked at: a SESSION_SECRET that sealed one has sealed many. */
const lookedAt = 200;

const listSecretsStatement = sql(
  'list_totp_secrets',
  `select user_id, secret
   from totp_factors
   order by user_id
   limit ${lookedAt}`,
);

export function listTotpSecrets(database: Database): Promise<{ user_id: number; secret: Buffer }[]> {
  return rows(database, listSecretsStatement);
}
