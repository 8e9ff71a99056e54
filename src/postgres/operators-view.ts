import type pg from 'pg';
import { type Database, rows, type Statement } from './database.ts';
import { createOperatorsConnections } from './operators-connections.ts';

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
