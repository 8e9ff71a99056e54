import { addressOf, type Database, openDatabase } from './database.ts';
import type { Settings } from './pooler.ts';
import { createTurns, type TurnLimits } from './turns.ts';

// What the operator has made may be slow, or locked, or lead to a server that does not answer. So it is read with connections of its own,
// and requests that do not need it never notice.

interface Limits {
  /** connections of each process */
  size: number;
  /** milliseconds for everything together; within the limit of the statement the database ends it by itself */
  longest: number;
  turns: TurnLimits;
  settings: Settings;
}

/**
 * Runs work with one of these connections. It rejects when it has lasted too long, while the connection stays taken until the database
 * has answered: a foreign server can hold a statement for a minute after it was cancelled; a connection that was given back, or closed,
 * meanwhile would be replaced, and they would become many.
 */
export function createOperatorsConnections({ size, longest, turns, settings }: Limits) {
  // by the options of the pool, which a part of it (share.ts) has, too
  const lanes = new WeakMap<object, { connections: Database; enter: ReturnType<typeof createTurns> }>();

  function laneOf(database: Database) {
    const known = lanes.get(database.options);
    if (known) return known;
    const connections = openDatabase(addressOf(database), size, settings);
    // idle ones do not keep the process alive
    Object.assign(connections.options, { query_timeout: 90_000, allowExitOnIdle: true });
    const lane = { connections, enter: createTurns(size, turns) };
    lanes.set(database.options, lane);
    return lane;
  }

  return async <T>(database: Database, work: (connections: Database) => Promise<T>): Promise<T> => {
    const { connections, enter } = laneOf(database);
    const read = async () => {
      const leave = await enter();
      return work(connections).finally(leave);
    };
    let timer: NodeJS.Timeout | undefined;
    const tooSlow = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${longest} ms`)), longest);
    });
    return Promise.race([read(), tooSlow]).finally(() => clearTimeout(timer));
  };
}
