import type pg from 'pg';
import { type Database, rows, type Statement } from './database.ts';
import { createOperatorsConnections } from './operators-connections.ts';

const withConnection = createOperatorsConnections({
  size: 2,
  longest: 1000,
  turns: { longestWait: 300, mostWaiting: 20 },
  settings: { statement_timeout: '650ms', lock_timeout: '500ms', enable_seqscan: 'off', jit: 'off' },
});

/** The rows of a statement over what the operator has. Rejects after a second. */
export function readOperatorsView<Row extends pg.QueryResultRow>(
  database: Database,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  return withConnection(database, (connections) => rows<Row>(connections, statement, values, 1));
}
