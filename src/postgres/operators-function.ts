import pg from 'pg';
import type { Database } from './database.ts';
import { createTurns } from './turns.ts';

// A function of the operator is slow, or fails, or leaves something behind; requests of other people must not notice.

/** At a time, of each process. */
const mostAtOnce = 4;
/** Milliseconds for the function, and for the wait for its turn. */
const longest = 50;
const longestWait = 100;

/** By the options of the pool, which a part of it (share.ts) has, too. */
const turns = new WeakMap<object, ReturnType<typeof createTurns>>();

function turnsOf({ options }: Database): ReturnType<typeof createTurns> {
  const known = turns.get(options) ?? createTurns(mostAtOnce, { longestWait });
  turns.set(options, known);
  return known;
}

/** The value of a function with one argument, or an error. Nothing that it sets or locks outlives the call, and it writes nothing. */
export async function callOperatorsFunction(database: Database, name: string, argument: string): Promise<unknown> {
  const leave = await turnsOf(database)();
  try {
    return await call(database, name, argument);
  } finally {
    leave();
  }
}

const undo = 'rollback; select pg_advisory_unlock_all()';

async function call(database: Database, name: string, argument: string): Promise<unknown> {
  const client = await database.connect();
  let broken: Error | undefined;
  try {
    const value = `${pg.escapeIdentifier(name)}(${pg.escapeLiteral(argument)})`;
    const answers: unknown = await client.query(
      `begin read only; set local statement_timeout = ${longest}; select ${value} as value; ${undo}`,
    );
    return (answers as pg.QueryResult[])[2]?.rows[0]?.value;
  } catch (error) {
    await client.query(undo).catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
