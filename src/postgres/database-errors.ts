import pg from 'pg';

/** Thrown when the database gave no answer, which is never a reason to call a token or a client invalid. */
export class DatabaseUnavailableError extends Error {}

/** Thrown when the server answers, but must not be used: it is a standby, or another server has replaced it. */
export class UnsuitableServerError extends Error {}

/** The error codes of Postgres or a pooler that mean no answer. Every other code is an answer. */
const noAnswer = new RegExp(
  `^(${[
    '08', // the connection failed
    '26000', // a prepared statement is lost
    '42P05', // or belongs to another client of the pooler
    '25006', // read-only: a standby, or a primary that has been replaced by one
    '25P0[34]', // a transaction took too long
    '28', // the login is refused
    '3D000', // the database is gone
    '40', // rolled back because of another statement
    '42P01', // a table is missing: the database is being restored, or was never migrated
    '53', // too few connections, too little memory or disk
    '55000', // the database accepts no connections
    '55P03', // a lock timeout
    '57', // cancelled, shutting down, starting up
    '58', // the operating system failed
  ].join('|')})`,
);

/** Whether an error means that the server gave no answer: errors of the driver do; a TypeError is a mistake in this program. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return noAnswer.test(error.code ?? '');
  return error instanceof Error && !(error instanceof TypeError);
}

/** Whether a deadlock, a serialization failure or a lock timeout rolled the statement back: it has changed nothing. */
export function isRolledBack(error: unknown): boolean {
  return hasCode(error, /^(40P01|40001|55P03)$/);
}

/**
 * Whether the prepared statement of this connection cannot be used: its columns have changed, or a pooler has lost it or has another one
 * of the same name. Postgres reports that before it runs anything.
 */
export function isPlanLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  // 0A000 has many meanings, and its message is in the language of the server; the name of the routine is not
  return /^(26000|42P05)$/.test(error.code ?? '') || error.routine === 'RevalidateCachedQuery';
}

/** Whether a single row of a batch may be the cause, so that its requests have to run alone. */
export function mayBeCausedByOneRow(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError ? isRolledBack(error.cause) : error instanceof pg.DatabaseError;
}

/** Whether the statement exceeded statement_timeout. */
export function tookTooLong(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && hasCode(error.cause, /^57014$/);
}

/** Says in fixed words why there was no answer. The messages of the driver and of a share of the pool have no codes. */
export function whyUnavailable({ cause }: DatabaseUnavailableError): string {
  if (isRolledBack(cause)) return 'database lock held';
  const { message } = cause instanceof Error ? cause : new Error();
  if (/^timeout exceeded when trying to connect$|^timeout: all connections/.test(message))
    return 'no database connection free';
  if (hasCode(cause, /^57014$/) || message === 'Query read timeout') return 'database too slow';
  return 'database unavailable';
}

/** Whether all connections are taken, or reserved for superusers. */
export function hasNoConnectionLeft(error: unknown): boolean {
  return hasCode(error instanceof DatabaseUnavailableError ? error.cause : error, /^53300$/);
}

/** Whether a row with this key exists already, perhaps only since the statement began. */
export function isDuplicateIn(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/** Whether a check constraint or refuse_values() refused the values. */
export function refusedByRule(error: unknown): error is pg.DatabaseError {
  return hasCode(error, /^23514$/);
}

/** Whether acting_administrator() found no such session or rights any more: the statement has changed nothing. */
export function refusedAdministrator(error: unknown): boolean {
  return hasCode(error, /^LK001$/);
}

/**
 * Whether the server cannot be reached, or not yet, or is read-only, as during a fail-over. Another try may help, unlike for a wrong
 * password, database name or certificate.
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return isUnreachable(error.cause);
  if (error instanceof pg.DatabaseError) return hasCode(error, /^(08|25006|53300|57P0[123])/);
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  if (error instanceof UnsuitableServerError) return true;
  if (!(error instanceof Error)) return false;
  // errors of the operating system have codes, those of the driver have none
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? /timeout|terminated/i.test(error.message) : /^E(AI_)?[A-Z]+$/.test(code);
}

/** Returns the reason of an error; a host name with several addresses fails with one error for each of them. */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailableError && error.cause) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof pg.DatabaseError && codes.test(error.code ?? '');
}
