import type pg from 'pg';

// Whether the database is overloaded is judged by the fastest answers, because a statement that waits for a lock says
// nothing about the others.

interface Pulse {
  /** the last time at which a connection was free or an answer was prompt */
  promptAt: number;
}

/** An answer within this time is prompt; milliseconds, as below. */
const promptWithin = 500;
/** The database is overloaded when no answer was prompt for this time. */
const patience = 1000;

const pulses = new WeakMap<pg.Pool, Pulse>();

function pulseOf(database: pg.Pool): Pulse {
  const known = pulses.get(database);
  if (known) return known;
  const pulse = { promptAt: Number.POSITIVE_INFINITY };
  pulses.set(database, pulse);
  return pulse;
}

/** Watches a statement that is about to be sent; call the function that it returns, when that was answered or has failed. */
export function watchStatement(database: pg.Pool, start: number): (end: number) => void {
  const pulse = pulseOf(database);
  if (database.waitingCount === 0) pulse.promptAt = start;
  return (end) => {
    if (end - start < promptWithin) pulse.promptAt = end;
  };
}

export function keepsUp(database: pg.Pool, now: number): boolean {
  return database.waitingCount === 0 || now - pulseOf(database).promptAt < patience;
}
