import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../src/postgres/database.ts';

/** Waits until the refusal of this request can be read: an answer does not wait until its refusal is stored. */
export async function refusalStored(database: Database, request_id: string): Promise<void> {
  const find = () => database.query('select from refusals where request_id = $1', [request_id]);
  while ((await find()).rowCount === 0) await pause(5);
}
