import pg from 'pg';

/** Nothing is known about the question that was asked: never a reason to call a token or a client invalid. */
export class DatabaseUnavailableError extends Error {}

/** What Postgres, or a pooler before it, says when it gives no answer. Everything else it says is one. */
const noAnswer = new RegExp(
  `^(${[
    '08', // the connection failed
    '26000', // a prepared statement is lost
    '42P05', // or belongs to somebody else
    '25006', // read-only: a standby, or a primary that has been replaced by one
    '25P0[34]', // a transaction took too long
    '28', // the login is refused
    '3D000', // the database is gone
    '40', // undone, for the sake of another statement
    '42P01', // a table is missing: the database is being restored, or was never migrated
    '53', // too few connections, too little memory or disk
    '55000', // the database accepts no connections
    '55P03', // a lock did not come
    '57', // cancelled, shutting down, starting up
    '58', // the operating system failed
  ].join('|')})`,
);

/** Whatever the driver says by itself is said without an answer of the server, unless it is a mistake of ours. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return noAnswer.test(error.code ?? '');
  return error instanceof Error && !(error instanceof TypeError);
}

/** Waited for a lock too long, or in a circle: the statement has done nothing. */
export function isUndone(error: unknown): boolean {
  return saysServer(error, /^(40P01|40001|55P03)$/);
}

/**
 * The statement that this connection had prepared is of no use any more: its columns have changed, or a pooler has lost
 * it or knows another of the same name. That is said before anything runs.
 */
export function isPlanLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  // 0A000 says many things, and its sentence comes in the language of the server; the routine's name does not
  return /^(26000|42P05)$/.test(error.code ?? '') || error.routine === 'RevalidateCachedQuery';
}

/** Refused or undone for the sake of some of the rows that a statement asked for: others have no part in it. */
export function isCausedByOneRow(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError ? isUndone(error.cause) : error instanceof pg.DatabaseError;
}

/** The server ended a statement that took too long. */
export function tookTooLong(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && saysServer(error.cause, /^57014$/);
}

/** A rule about the values was broken: a check constraint, or a function that raises as one does. */
export function refusedByRule(error: unknown): error is pg.DatabaseError {
  return saysServer(error, /^23514$/);
}

/** Not there, or not there yet: worth another try, unlike a wrong password, a wrong name or a certificate that is none. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return saysServer(error, /^(08|53300|57P0[123])/);
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  if (!(error instanceof Error)) return false;
  // the operating system has codes; what the driver says of itself has none
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? /timeout|terminated/i.test(error.message) : /^E(AI_)?[A-Z]+$/.test(code);
}

function saysServer(error: unknown, codes: RegExp): boolean {
  return error instanceof pg.DatabaseError && codes.test(error.code ?? '');
}
