import type pg from 'pg';
import { type DatabaseAddress, openHosts } from './hosts.ts';

export async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    // "latchkey" in hexadecimal; processes that start at the same time migrate and seed one after the other
    await client.query(`select pg_advisory_xact_lock(x'6c617463686b6579'::bigint)`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

export async function withConnection<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { Client, config, admit } = openHosts(address, () => {});
  const client = new Client({ ...config, connectionTimeoutMillis: 2000, application_name: 'latchkey-migrations' });
  client.on('error', () => {});
  await client.connect();
  try {
    await admit(client);
    return await work(client);
  } finally {
    await client.end();
  }
}
