import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type DatabaseAddress, openHosts } from './hosts.ts';

/** Milliseconds between two tries to get the lock. */
const retryMs = 100;

/** Another process migrates, seeds or holds a lock, and has not finished in time. */
export class OthersTurnError extends Error {}

/** Processes that start at the same time migrate and seed one after the other. */
export async function inTransaction<T>(
  client: pg.Client,
  work: () => Promise<T>,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  await takeTurn(client, patienceMs);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * Begins a transaction that holds the lock. Each try is a transaction of its own: the other process may be in the middle of
 * `create index concurrently`, which waits for every transaction that has a snapshot, so this one must not wait inside.
 */
async function takeTurn(client: pg.Client, patienceMs: number): Promise<void> {
  for (const start = performance.now(); ; await pause(retryMs)) {
    await client.query('begin');
    // "latchkey" in hexadecimal
    const { rows } = await client.query(`select pg_try_advisory_xact_lock(x'6c617463686b6579'::bigint) as is_mine`);
    if (rows[0].is_mine) return;
    await client.query('rollback');
    if (performance.now() - start > patienceMs) throw new OthersTurnError('another process migrates or seeds');
  }
}

/** One connection, outside the pool and its time limits. */
export type Connection = Pick<pg.Client, 'query'>;

/**
 * What `read` reads on its connection is as it was at one moment, while others go on writing. What shows it may stand still, as a pager
 * does: the database ends that after ten minutes, because it can tidy up nothing newer meanwhile, nor finish an index for a migration.
 */
export function atOneMoment<T>(address: DatabaseAddress, read: (connection: Connection) => Promise<T>): Promise<T> {
  return withConnection(address, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    await client.query("set local idle_in_transaction_session_timeout = '10min'");
    return read(client);
  });
}

/** What `work` does on its connection is done as a whole or not at all. All of it goes to one server connection, also through PgBouncer. */
export function asAWhole<T>(address: DatabaseAddress, work: (connection: Connection) => Promise<T>): Promise<T> {
  return withConnection(address, async (client) => {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  });
}

export async function withConnection<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { Client, config, admit } = openHosts(address, () => {});
  const client = new Client({ ...config, connectionTimeoutMillis: 2000, application_name: 'latchkey-migrations' });
  let end: Error | undefined;
  client.on('error', (error) => {
    end ??= error;
  });
  await client.connect();
  try {
    await admit(client);
    return await work(client);
  } catch (error) {
    // the reason why the database has ended the connection says more than that the connection cannot be used any more
    throw end ?? error;
  } finally {
    await client.end();
  }
}
