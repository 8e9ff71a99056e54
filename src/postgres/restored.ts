import type { DatabaseAddress } from './hosts.ts';
import { withConnection } from './transaction.ts';

/** See migrations/functions/revoke_all.sql. Without a time limit, since it changes every grant. */
export function revokeAll(address: DatabaseAddress): Promise<Date> {
  return withConnection(address, async (client) => {
    const { rows } = await client.query('select revoke_all() as not_before');
    return rows[0].not_before;
  });
}

/** See migrations/functions/define_claim.sql: a backup has no functions. */
export function defineClaims(address: DatabaseAddress): Promise<void> {
  return runAlone(address, 'select define_claim(name, query) from claims');
}

/** See migrations/functions/split_first_audit_partition.sql. */
export function splitFirstAuditPartition(address: DatabaseAddress): Promise<void> {
  return runAlone(address, 'select split_first_audit_partition()');
}

/** Statements that cannot be in a transaction. */
export function runAlone(address: DatabaseAddress, ...statements: string[]): Promise<void> {
  return withConnection(address, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** Puts the other database into the place of the one at this address, and drops that one. Nobody is connected to either. */
export async function swapDatabases(address: DatabaseAddress & { database: string }, other: string): Promise<void> {
  const { database } = address;
  await withConnection({ ...address, database: 'template1' }, async (client) => {
    await client.query('drop database if exists latchkey_replaced');
    await client.query('begin');
    await client.query(`alter database ${database} rename to latchkey_replaced`);
    await client.query(`alter database ${other} rename to ${database}`);
    await client.query('commit');
    await client.query('drop database latchkey_replaced');
  });
}
