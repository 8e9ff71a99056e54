import type { DatabaseAddress } from './hosts.ts';
import { systemUser } from './system-user.ts';
import { withConnection } from './transaction.ts';

/** See migrations/functions/revoke_all.sql. Without a time limit, since it changes every grant. */
export function revokeAll(address: DatabaseAddress): Promise<Date> {
  return withConnection(address, async (client) => {
    const { rows } = await client.query(
      `select set_config('latchkey.system_user', $1, true), revoke_all() as not_before`,
      [systemUser()],
    );
    return rows[0].not_before;
  });
}

/** See migrations/functions/define_claim.sql: a backup has no functions. What they read is not in it either, and may come later. */
export function defineClaims(address: DatabaseAddress): Promise<void> {
  return runAlone(address, 'set check_function_bodies = off', 'select define_claim(name, query) from claims');
}

const listTables = `select relnamespace::regnamespace || '.' || relname as name
  from pg_class
  where relkind in ('r', 'p')
    and not relispartition
    and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`;

/** Whether the first database has tables that are not in the second one. */
export async function hasOtherTables(first: DatabaseAddress, second: DatabaseAddress): Promise<boolean> {
  const [tables, known] = await Promise.all(
    [first, second].map((address) =>
      withConnection(address, async (client) => (await client.query(listTables)).rows.map(({ name }) => name)),
    ),
  );
  return tables?.some((name) => !known?.includes(name)) ?? false;
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

/** Puts the other database into the place of the one at this address, which is dropped, or gets a name. Nobody is connected to either. */
export async function swapDatabases(
  address: DatabaseAddress & { database: string },
  other: string,
  kept: string | undefined,
): Promise<void> {
  const { database } = address;
  await withConnection({ ...address, database: 'template1' }, async (client) => {
    await client.query('drop database if exists latchkey_replaced');
    await client.query('begin');
    await client.query(`alter database ${database} rename to ${kept ?? 'latchkey_replaced'}`);
    await client.query(`alter database ${other} rename to ${database}`);
    await client.query('commit');
    if (kept === undefined) await client.query('drop database latchkey_replaced');
  });
}
