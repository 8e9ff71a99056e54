import type pg from 'pg';
import { addressOf, type Database, openDatabase, rows, type Statement } from './database.ts';
import { createTurns } from './turns.ts';

// A view of the operator may be slow, or locked, or lead to a server that does not answer. So it is read with connections of its own, and
// requests that do not need it never notice.

/** Connections of each process. */
const size = 2;
/** Milliseconds for everything together; within the statement's limit the database ends it by itself. */
const longest = 1000;
const turns = { longestWait: 300, mostWaiting: 20 };

const settings = { statement_timeout: '650ms', lock_timeout: '500ms', enable_seqscan: 'off', jit: 'off' };

interface Lane {
  readonly connections: Database;
  readonly enter: ReturnType<typeof createTurns>;
}

const lanes = new WeakMap<Database, Lane>();

function laneOf(database: Database): Lane {
  const known = lanes.get(database);
  if (known) return known;
  const connections = openDatabase(addressOf(database), size, settings);
  // a foreign server can hold a statement for a minute after it was cancelled; a connection that was closed meanwhile would be
  // replaced, and they would become many. Idle ones do not keep the process alive
  Object.assign(connections.options, { query_timeout: 90_000, allowExitOnIdle: true });
  const lane = { connections, enter: createTurns(size, turns) };
  lanes.set(database, lane);
  return lane;
}

/** The rows of a statement over what the operator has. Rejects after a second, while its connection stays taken until the database has answered. */
export async function readOperatorsView<Row extends pg.QueryResultRow>(
  database: Database,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const { connections, enter } = laneOf(database);
  const read = async () => {
    const leave = await enter();
    return rows<Row>(connections, statement, values, 1).finally(leave);
  };
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within a second')), longest);
  });
  return Promise.race([read(), tooSlow]).finally(() => clearTimeout(timer));
}
