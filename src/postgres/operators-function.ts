import pg from 'pg';
import { type Database, requestSettings } from './database.ts';
import { createOperatorsConnections } from './operators-connections.ts';

// A function of the operator is slow, or fails, or leaves something behind; requests of other people must not notice.

type Argument = string | number | readonly string[];

/** Calls a function and returns its value, or an error. Nothing that it sets or locks outlives the call, and it writes nothing. */
type CallFunction = (database: Database, name: string, args: readonly Argument[]) => Promise<unknown>;

interface Times {
  longestStatement: number;
  /** the wait for one of the four connections */
  longestWait: number;
}

/**
 * Functions of one kind, with the milliseconds that a call may last. They have connections of their own, so that slow functions of another
 * kind do not keep them waiting.
 */
export function operatorsFunctions({ longestStatement, longestWait }: Times): CallFunction {
  const withConnection = createOperatorsConnections({
    size: 4,
    longest: 1000,
    turns: { longestWait },
    settings: requestSettings,
  });
  return (database, name, args) =>
    withConnection(database, (connections) =>
      call(connections, `${pg.escapeIdentifier(name)}(${args.map(literal).join(', ')})`, longestStatement),
    );
}

const literal = (argument: Argument): string =>
  Array.isArray(argument)
    ? `array[${argument.map((one) => pg.escapeLiteral(one)).join(', ')}]::text[]`
    : typeof argument === 'number'
      ? String(argument)
      : pg.escapeLiteral(String(argument));

const undo = 'rollback; select pg_advisory_unlock_all()';

async function call(connections: Database, value: string, longest: number): Promise<unknown> {
  const client = await connections.connect();
  let broken: Error | undefined;
  try {
    const answers: unknown = await client.query(
      `begin read only; set local statement_timeout = ${longest}; select ${value} as value; ${undo}`,
    );
    return (answers as pg.QueryResult[])[2]?.rows[0]?.value;
  } catch (error) {
    // where the query got no answer, this statement would get none either
    if (!(error instanceof pg.DatabaseError)) broken = error as Error;
    else await client.query(undo).catch((reason: Error) => (broken = reason));
    throw error;
  } finally {
    client.release(broken);
  }
}
