import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { addressOf, type Database, openDatabase, row, rows, type Statement, sql } from './database.ts';
import type { Settings } from './pooler.ts';

// What the operator has made may be slow, or locked, or lead to a server that does not answer. So it is read with connections of its own,
// and requests that do not need it never notice.

interface Limits {
  /** connections of each process */
  size: number;
  /** milliseconds for everything together */
  longest: number;
  /** milliseconds after which a connection without an answer is given up, such as one to a host that is gone */
  longestSilence?: number;
  turns: TurnLimits;
  settings: Settings;
}

interface Lane {
  connections: Database;
  enter: ReturnType<typeof createTurns>;
  givenUp: number[];
}

/** The processes of the database whose connections were closed without an answer, by turns that have not ended yet. */
function givenUpOf(connections: Database): number[] {
  const givenUp: number[] = [];
  connections.on('release', (error: Error | boolean | undefined, client: pg.PoolClient & { processID?: number }) => {
    const isAnswered = !error || error instanceof pg.DatabaseError;
    if (!isAnswered && client.processID) givenUp.push(client.processID);
  });
  return givenUp;
}

const isBusy = sql('is_process_busy', `select from pg_stat_activity where pid = $1 and state = 'active'`);

/** Waits until the database no longer works on it. Another host, after a fail-over, does not know the process. */
async function untilIdle(database: Database, process: number, interval: number): Promise<void> {
  while (await row(database, isBusy, [process]).catch(() => true)) await pause(interval, undefined, { ref: false });
}

/**
 * Runs work with one of these connections. It rejects when it has lasted too long, while its turn goes on until the database no longer
 * works on it: a foreign server that does not answer can hold a statement for ever, which then ends neither when it is cancelled nor with
 * its connection. If others took its place meanwhile, they would become as many as the database accepts.
 */
export function createOperatorsConnections({ size, longest, longestSilence = 90_000, turns, settings }: Limits) {
  // lanes by the options of the pool, which a part of it (share.ts) has, too
  const lanes = new WeakMap<object, Lane>();

  function laneOf(database: Database): Lane {
    const known = lanes.get(database.options);
    if (known) return known;
    const connections = openDatabase(addressOf(database), size, settings);
    // idle ones do not keep the process alive
    Object.assign(connections.options, { query_timeout: longestSilence, allowExitOnIdle: true });
    const lane = { connections, enter: createTurns(size, turns), givenUp: givenUpOf(connections) };
    lanes.set(database.options, lane);
    return lane;
  }

  return async <T>(database: Database, work: (connections: Database) => Promise<T>): Promise<T> => {
    const { connections, enter, givenUp } = laneOf(database);
    const read = async () => {
      const leave = await enter();
      return work(connections).finally(() => {
        const process = givenUp.pop();
        if (process === undefined) leave();
        else void untilIdle(database, process, longestSilence / 20).then(leave);
      });
    };
    let timer: NodeJS.Timeout | undefined;
    const tooSlow = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${longest} ms`)), longest);
    });
    return Promise.race([read(), tooSlow]).finally(() => clearTimeout(timer));
  };
}

/**
 * So many at a time, and so many waiting; the others are refused. What it returns waits for a turn, and resolves with a function that
 * ends it.
 */
function createTurns(atOnce: number, { longestWait, mostWaiting = Number.POSITIVE_INFINITY }: TurnLimits) {
  const waiting = new Set<() => void>();
  let running = 0;

  const leave = () => {
    const [next] = waiting;
    if (next) return next();
    running -= 1;
  };

  return async (): Promise<() => void> => {
    if (running < atOnce) {
      running += 1;
      return leave;
    }
    if (waiting.size >= mostWaiting) throw new Error('too many are waiting for their turn');
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        waiting.delete(admit);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(admit);
        reject(new Error('no turn within the time for it'));
      }, longestWait);
      waiting.add(admit);
    });
    return leave;
  };
}

interface TurnLimits {
  /** milliseconds */
  longestWait: number;
  mostWaiting?: number;
}

const limits = {
  longest: 1000,
  turns: { longestWait: 300, mostWaiting: 20 },
  settings: { statement_timeout: '650ms', lock_timeout: '500ms', enable_seqscan: 'off', jit: 'off' },
};

/**
 * Connections for sign-ins, and others for the comparison: strangers who try names can take all connections of the sign-ins, and must
 * not keep anybody from being disabled.
 */
const connections = {
  'sign-in': createOperatorsConnections({ size: 2, ...limits }),
  comparison: createOperatorsConnections({ size: 1, ...limits }),
};

/** Reads the rows of a statement over what the operator has. Rejects after a second. */
export function readOperatorsView<Row extends pg.QueryResultRow>(
  database: Database,
  reader: keyof typeof connections,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  return connections[reader](database, (own) => rows<Row>(own, statement, values, 1));
}
